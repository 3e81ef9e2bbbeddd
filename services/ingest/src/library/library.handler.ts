import {
  CarrelError,
  getLibraryDocumentText,
  listFolders,
  listLibrary,
  signOriginal,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { defaultFolder } from "../document/docpath.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentReader } from "../document/document-reader.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { listParents } from "../document/folder-path.ts";
import { LibraryRepository } from "./library.repository.ts";
import { SelectionResolver } from "./selection-resolver.ts";

/** Tree order: a folder comes before its descendants. */
const byPath = (a: { name: string }, b: { name: string }): number => {
  const [left, right] = [a.name.split("/"), b.name.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left[at] !== right[at]) return left[at]!.localeCompare(right[at]!);
  return left.length - right.length;
};

/** The library for the document manager. */
@Controller()
export class LibraryHandler {
  constructor(
    private readonly library: LibraryRepository,
    private readonly documents: DocumentRepository,
    private readonly reader: DocumentReader,
    private readonly selections: SelectionResolver,
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
      if (!folders.has(name)) folders.set(name, { name, title: null, documents: 0, failed: 0 });
    return {
      folders: [...folders.values()].sort(byPath),
      documents: rows.reduce((sum, row) => sum + row.documents, 0),
      tags,
    };
  }

  @Handle(listLibrary)
  async page(
    { filter, ...page }: In<typeof listLibrary>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listLibrary>> {
    const query = await this.library.plan(scope, await this.selections.resolve(scope, { filter }));
    const [listed, total] = await Promise.all([
      this.library.listPage(scope, query, page),
      this.library.count(scope, query),
    ]);
    return { ...listed, total };
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
    if (!document?.inLibrary) throw new CarrelError("document.not-found");
    return document;
  }
}
