import {
  CarrelError,
  findByFileName,
  findLocalFiles,
  findUploaded,
  listLibraryFolder,
  openLibraryTree,
  readLibraryText,
  searchLocalFiles,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { LibraryTree } from "./library-tree.ts";
import { LibraryRepository } from "./library.repository.ts";
import { UploadedDocuments } from "./uploaded-documents.ts";

/** Maximum number of search results for existing clients (wire-contract 2.4). */
const maxFound = 50;
/** Tree order: a folder comes before its descendants. */
const byPath = (a: { name: string }, b: { name: string }): number => {
  const [left, right] = [a.name.split("/"), b.name.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left[at] !== right[at]) return left[at]!.localeCompare(right[at]!);
  return left.length - right.length;
};

/** Reads the library as the tree of files that existing clients know. */
@Controller()
export class LibraryFileHandler {
  constructor(
    private readonly library: LibraryRepository,
    private readonly tree: LibraryTree,
    private readonly uploads: UploadedDocuments,
  ) {}

  @Handle(searchLocalFiles)
  async search(
    { q }: In<typeof searchLocalFiles>,
    { scope }: RequestContext,
  ): Promise<Out<typeof searchLocalFiles>> {
    const words = q.trim();
    if (words === "") return { results: [] };
    const [named, written] = await Promise.all([
      this.library.findByName(scope, words, maxFound),
      this.library.findByText(scope, words, maxFound),
    ]);
    const found = await this.tree.listRows(scope, {
      ids: [...new Set([...named, ...written])].slice(0, maxFound),
    });
    const folders = Map.groupBy(found, (entry) => entry.folder);
    return {
      results: [...folders]
        .map(([name, entries]) => ({
          name,
          type: "folder" as const,
          items: entries.flatMap(({ file }) => file ?? []),
        }))
        .sort(byPath),
    };
  }

  @Handle(openLibraryTree)
  async wholeTree(
    _input: In<typeof openLibraryTree>,
    { scope }: RequestContext,
  ): Promise<Out<typeof openLibraryTree>> {
    return { pipe: await this.tree.openWhole(scope) };
  }

  @Handle(listLibraryFolder)
  treeFolder(
    { folder, offset, limit }: In<typeof listLibraryFolder>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listLibraryFolder>> {
    return this.tree.listFolder(scope, folder, offset, limit);
  }

  @Handle(findLocalFiles)
  async byDocpaths(
    { docpaths }: In<typeof findLocalFiles>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findLocalFiles>> {
    const found = await this.tree.listRows(scope, { docpaths });
    return {
      documents: found.flatMap(({ folder, file }) =>
        file === null ? [] : [{ ...file, docpath: `${folder}/${file.name}` }],
      ),
    };
  }

  @Handle(findUploaded)
  uploaded(
    { documentId, offset }: In<typeof findUploaded>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findUploaded>> {
    return this.uploads.list(scope, documentId, offset);
  }

  @Handle(readLibraryText)
  text(
    { documentId, start }: In<typeof readLibraryText>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readLibraryText>> {
    return this.uploads.readText(scope, documentId, start);
  }

  @Handle(findByFileName)
  async byFileName(
    { name }: In<typeof findByFileName>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findByFileName>> {
    const [found] = await this.tree.listRows(scope, {
      ids: await this.uploads.findIds(scope, name),
    });
    if (!found?.file) throw new CarrelError("document.not-in-workspace");
    return { document: found.file };
  }
}
