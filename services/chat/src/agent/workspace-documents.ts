import {
  CarrelError,
  getDocumentText,
  listDocumentStatuses,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { CodeFile, DocumentEntry, DocumentPart, DocumentPort } from "@carrel/skills";
import { Injectable } from "@nestjs/common";

type Status = Out<typeof listDocumentStatuses>["documents"][number];

/** Documents that a filter looks through. */
const maxListed = 1_000;
const pageSize = 200;
const maxFound = 10;
/** Characters of a document that a program gets. */
const longestFile = 10_000_000;

/** The documents of a workspace as tools see them, read with the person's own rights. */
@Injectable()
export class WorkspaceDocuments {
  constructor(private readonly requests: RequestClient) {}

  portOf(
    scope: WorkspaceScope,
  ): DocumentPort & { readFile(name: string): Promise<CodeFile | null> } {
    const { slug } = scope.workspace;
    const readText = (documentId: string, start: number, end: number) =>
      this.requests.request(getDocumentText, { slug, documentId, start, end }, { scope });
    const list = async (search: string): Promise<Status[]> => {
      const found: Status[] = [];
      for (;;) {
        const page = await this.requests.request(
          listDocumentStatuses,
          { slug, search: search.slice(0, 200), offset: found.length, limit: pageSize },
          { scope },
        );
        found.push(...page.documents);
        if (page.documents.length < pageSize || found.length >= maxListed) return found;
      }
    };
    const text = async (id: string, from: number, to: number): Promise<DocumentPart> => {
      const read = await readText(id, from, to);
      return {
        text: read.text,
        start: read.start,
        end: read.end,
        pages: read.page === null ? [] : [{ page: read.page, start: read.start }],
        headings:
          read.headingPath.length === 0 ? [] : [{ path: read.headingPath, start: read.start }],
      };
    };
    const find = async (name: string): Promise<DocumentEntry[]> => {
      const wanted = name.trim().toLowerCase();
      const all = await list(/^[0-9a-f-]{36}$/.test(wanted) ? "" : name.trim());
      const isExact = ({ documentId, title }: Status): boolean =>
        documentId === wanted || title.toLowerCase() === wanted;
      const exact = all.filter(isExact);
      const chosen = (exact.length > 0 ? exact : all).slice(0, maxFound);
      return Promise.all(
        chosen.map(async (status) => {
          const { length } = await readText(status.documentId, 0, 1);
          return mapEntry(status, length);
        }),
      );
    };
    return {
      find,
      text,
      list: async ({ name, folder, type, offset, limit }) => {
        const all = (await list(name)).filter(
          (status) => isInFolder(status, folder) && isOfType(status, type),
        );
        return {
          total: all.length,
          documents: all
            .slice(offset, offset + limit)
            .map((status) => mapEntry(status, status.wordCount * 6)),
        };
      },
      pageStart: async (id, page) => {
        const { length, pages } = await readText(id, 0, 1);
        if (pages === null || page > pages) return null;
        let [low, high] = [0, length];
        while (low < high) {
          const middle = Math.floor((low + high) / 2);
          const read = await readText(id, middle, middle + 1);
          if ((read.page ?? 1) < page) low = middle + 1;
          else high = middle;
        }
        return low;
      },
      readFile: async (name) => {
        const [entry] = await find(name).catch((error: unknown) => {
          if (error instanceof CarrelError) return [];
          throw error;
        });
        if (entry === undefined) return null;
        const parts: string[] = [];
        for (let at = 0; at < Math.min(entry.length, longestFile);) {
          const part = await text(entry.id, at, Math.min(entry.length, longestFile));
          if (part.end <= at) break;
          parts.push(part.text);
          at = part.end;
        }
        return { text: parts.join("") };
      },
    };
  }
}

const mapEntry = (status: Status, length: number): DocumentEntry => ({
  id: status.documentId,
  title: status.title,
  docpath: status.docpath ?? "",
  folder: status.folderLabel ?? null,
  type: status.mime,
  pages: status.pages,
  wordCount: status.wordCount,
  length,
  addedAt: status.addedAt,
  url: "",
  docAuthor: "",
  description: "",
  docSource: "",
  chunkSource: "",
  published: status.addedAt,
});

const isInFolder = ({ folder, folderLabel }: Status, wanted: string | null): boolean =>
  wanted === null ||
  [folder, folderLabel].some(
    (name) =>
      name != null &&
      (name.toLowerCase() === wanted.toLowerCase() ||
        name.toLowerCase().startsWith(`${wanted.toLowerCase()}/`)),
  );

const isOfType = ({ kind, mime, title }: Status, wanted: string | null): boolean =>
  wanted === null ||
  kind === wanted ||
  mime === wanted ||
  title.toLowerCase().endsWith(`.${wanted.replace(/^\./, "").toLowerCase()}`);
