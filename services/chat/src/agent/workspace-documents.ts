import {
  clipText,
  findPageStart,
  lookUpDocuments,
  readDocumentPart,
  type Args,
  type Out,
  type RetrievalPlaces,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import {
  chooseDocument,
  readRange,
  type CodeFile,
  type DocumentEntry,
  type DocumentPart,
  type DocumentPort,
} from "@carrel/skills";
import { Injectable } from "@nestjs/common";

const maxFound = 10;
/** The contract's limits. */
const maxListed = 50;
const longestName = 300;
const longestFilter = 255;
const highestPage = 2_000_000_000;
/** Characters of a document that a program gets. */
const longestFile = 10_000_000;
/** Where documents are that nobody put into a folder. */
const rootFolder = "custom-documents";

const documentId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The documents of a workspace as tools see them, read with the person's own rights. */
@Injectable()
export class WorkspaceDocuments {
  constructor(private readonly requests: RequestClient) {}

  /** @param places those that the tools see; null: the whole workspace */
  portOf(
    scope: WorkspaceScope,
    places: RetrievalPlaces | null,
  ): DocumentPort & { readFile(name: string, signal: AbortSignal): Promise<CodeFile | null> } {
    const lookUp = async (
      input: Omit<Args<typeof lookUpDocuments>, "filter" | "limit"> & Filter & { limit: number },
    ): Promise<{ documents: DocumentEntry[]; total: number }> => {
      const { folders, types, documentIds, limit, ...asked } = input;
      const { documents, total } = await this.requests.request(
        lookUpDocuments,
        {
          ...asked,
          limit: Math.min(limit, maxListed),
          filter: { folders, types, documentIds, ...(places !== null && { places }) },
        },
        { scope },
      );
      return { documents: documents.map(mapEntry), total };
    };
    const text = (documentId: string, start: number, end: number): Promise<DocumentPart> =>
      this.requests.request(readDocumentPart, { documentId, start, end }, { scope });
    const find = async (name: string): Promise<DocumentEntry[]> => {
      const wanted = plain(name, longestName);
      if (wanted === "") return [];
      const id = wanted.toLowerCase();
      if (documentId.test(id)) return (await lookUp({ documentIds: [id], limit: 1 })).documents;
      const exact = await lookUp({ title: wanted, limit: maxFound });
      if (exact.total > 0) return exact.documents;
      return (await lookUp({ search: wanted, limit: maxFound })).documents;
    };
    return {
      find,
      text,
      list: ({ name, folder, type, offset, limit }) =>
        lookUp({
          search: plain(name, longestName),
          folders: given(folder),
          types: given(type),
          offset,
          limit,
        }),
      pageStart: async (documentId, page) => {
        const asked = { documentId, page: Math.min(page, highestPage) };
        return (await this.requests.request(findPageStart, asked, { scope })).start;
      },
      readFile: async (name, signal) => {
        const found = await find(name);
        if (found.length === 0) return null;
        const { id, length } = chooseDocument(found, name);
        const range = { from: 0, to: Math.min(length, longestFile) };
        const read = await readRange({ text }, id, range, signal);
        return { text: read.text };
      },
    };
  }
}

type Filter = Pick<
  NonNullable<Args<typeof lookUpDocuments>["filter"]>,
  "folders" | "types" | "documentIds"
>;

/** Without NUL, which PostgreSQL's texts don't have. */
const plain = (text: string, longest: number): string =>
  clipText(text.replaceAll("\0", "").trim(), longest);

const given = (text: string | null): string[] => {
  const value = plain(text ?? "", longestFilter);
  return value === "" ? [] : [value];
};

const mapEntry = ({
  folder,
  mime,
  ...document
}: Out<typeof lookUpDocuments>["documents"][number]): DocumentEntry => ({
  ...document,
  folder: folder === rootFolder ? null : folder,
  type: mime,
});
