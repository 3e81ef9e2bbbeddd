import {
  CarrelError,
  findByFileName,
  findLocalFiles,
  findUploaded,
  getLibraryDocumentText,
  listFolders,
  listLibrary,
  listLibraryFolder,
  moveLibraryFiles,
  openLibraryTree,
  readLibraryText,
  removeDocument,
  removeDocuments,
  searchLocalFiles,
  signOriginal,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { defaultFolder } from "../document/docpath.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentReader } from "../document/document-reader.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { FileMover } from "./file-mover.ts";
import { listParents } from "../document/folder-path.ts";
import { LibraryChanges } from "./library-changes.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { LibraryRepository } from "./library.repository.ts";
import { LibraryTree } from "./library-tree.ts";
import { UploadedDocuments } from "./uploaded-documents.ts";

/** Maximum number of search results for existing clients (wire-contract 2.4). */
const mostFound = 50;
/** Tree order: a folder comes before its descendants. */
const byPath = (a: { name: string }, b: { name: string }): number => {
  const [left, right] = [a.name.split("/"), b.name.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left[at] !== right[at]) return left[at]!.localeCompare(right[at]!);
  return left.length - right.length;
};

/** The library for the document manager, plus the docpath-based operations of existing clients. */
@Controller()
export class LibraryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly library: LibraryRepository,
    private readonly documents: DocumentRepository,
    private readonly reader: DocumentReader,
    private readonly changes: LibraryChanges,
    private readonly tree: LibraryTree,
    private readonly uploads: UploadedDocuments,
    private readonly mover: FileMover,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(listFolders)
  async folders(
    _input: In<typeof listFolders>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listFolders>> {
    const [rows, tags] = await Promise.all([
      this.library.listFolders(scope),
      this.library.listTags(scope),
    ]);
    const folders = new Map(rows.map((row) => [row.name, row]));
    for (const name of [defaultFolder, ...rows.flatMap((row) => listParents(row.name))])
      if (!folders.has(name)) folders.set(name, { name, documents: 0, failed: 0 });
    return {
      folders: [...folders.values()].sort(byPath),
      documents: rows.reduce((sum, row) => sum + row.documents, 0),
      tags,
    };
  }

  @Handle(listLibrary)
  async page(
    { filter, sort, descending, offset, limit }: In<typeof listLibrary>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listLibrary>> {
    const query = await this.library.plan(scope, await this.changes.resolve(scope, { filter }));
    const [documents, total] = await Promise.all([
      this.library.listPage(scope, query, { sort, descending, offset, limit }),
      this.library.count(scope, query),
    ]);
    return { documents, total };
  }

  @Handle(searchLocalFiles)
  async search(
    { q }: In<typeof searchLocalFiles>,
    { scope }: RequestContext,
  ): Promise<Out<typeof searchLocalFiles>> {
    const words = q.trim();
    if (words === "") return { results: [] };
    const [named, written] = await Promise.all([
      this.library.findByName(scope, words, mostFound),
      this.library.findByText(scope, words, mostFound),
    ]);
    const found = await this.tree.listRows(scope, {
      ids: [...new Set([...named, ...written])].slice(0, mostFound),
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
    return { document: found?.file ?? null };
  }

  @Handle(removeDocument)
  removeOne({ name }: In<typeof removeDocument>, { scope }: RequestContext): Promise<void> {
    return this.remove(scope, [name]);
  }

  @Handle(removeDocuments)
  removeMany({ names }: In<typeof removeDocuments>, { scope }: RequestContext): Promise<void> {
    return this.remove(scope, names);
  }

  @Handle(moveLibraryFiles)
  async move(
    { files }: In<typeof moveLibraryFiles>,
    context: RequestContext,
  ): Promise<Out<typeof moveLibraryFiles>> {
    const outcome = await keyed(this.dataSource, context, (manager) =>
      this.mover.move(context.scope, manager, files),
    );
    if (outcome.moved > 0) this.notice.tell();
    return outcome;
  }

  @Handle(signOriginal)
  async original(
    { documentId }: In<typeof signOriginal>,
    { scope }: RequestContext,
  ): Promise<Out<typeof signOriginal>> {
    return { url: this.reader.signOriginal(scope, await this.get(scope, documentId)) };
  }

  @Handle(getLibraryDocumentText)
  async read(
    input: In<typeof getLibraryDocumentText>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getLibraryDocumentText>> {
    return this.reader.read(scope, await this.get(scope, input.documentId), input);
  }

  /** Chat files are never part of the library. */
  private async get(scope: Scope, documentId: string): Promise<Document> {
    const document = await this.documents.find(scope, documentId);
    if (!document?.inLibrary)
      throw new CarrelError("DOCUMENT_NOT_FOUND", "Document does not exist.");
    return document;
  }

  /** Removes documents from the library and every workspace, ignoring unknown docpaths. */
  private async remove(scope: Scope, docpaths: string[]): Promise<void> {
    const documentIds = await this.documents.listIds(scope, docpaths);
    if (documentIds.length > 0)
      await this.changes.start({ ...scope, workspace: null }, { kind: "purge" }, { documentIds });
  }
}
