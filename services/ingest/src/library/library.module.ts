import {
  CarrelError,
  changeEncoding,
  createFolder,
  folderName,
  getLibraryDocumentText,
  libraryFilter,
  listFolders,
  listLibrary,
  moveLibraryFiles,
  removeDocument,
  removeDocuments,
  removeFolder,
  renameFolder,
  signOriginal,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, Outbox, keyed, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobModule } from "../blob/blob.module.ts";
import { defaultFolder, listParents, readFolderPath } from "../document/docpath.ts";
import { parseJob } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { DocumentReader } from "../document/document-reader.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentModule } from "../document/document.module.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { everyReader } from "../document/reader.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { ChangePage, type FrozenChange } from "./change-page.ts";
import { FolderRepository } from "./folder.repository.ts";
import { LibraryChanges, SelectionResolver } from "./library-changes.ts";
import { FileMover, LibraryFileHandler } from "./library-file.handler.ts";
import { LibraryTree } from "./library-tree.ts";
import { LibraryRepository } from "./library.repository.ts";
import { SelectionHandler } from "./selection.handler.ts";
import { UploadedDocuments } from "./uploaded-documents.ts";

const taken = (): CarrelError => new CarrelError("folder.taken");
/** Whole folders are changed with the documents that the caller doesn't see. */
const inFolder = (folder: string) => ({
  reader: everyReader,
  filter: libraryFilter.parse({ folder, deep: true }),
});

/** Library folders. Changes to their documents run as library changes. */
@Controller()
class FolderHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly folders: FolderRepository,
    private readonly changes: LibraryChanges,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(createFolder)
  async create(
    input: In<typeof createFolder>,
    context: RequestContext,
  ): Promise<Out<typeof createFolder>> {
    const name = readFolderPath(input.name);
    return keyed(this.dataSource, context, async (manager) => {
      if (name === defaultFolder || !(await this.folders.create(context.scope, manager, name)))
        throw taken();
      this.notice.announce();
      return { success: true, message: null };
    });
  }

  /**
   * The folder is renamed immediately; its documents follow in the background if there are many.
   */
  @Handle(renameFolder)
  async rename(
    input: In<typeof renameFolder>,
    context: RequestContext,
  ): Promise<Out<typeof renameFolder>> {
    const { scope } = context;
    const to = readFolderPath(input.to);
    const from = input.from;
    if (from === to) return { success: true };
    if (from === defaultFolder) throw new CarrelError("folder.uploads-fixed");
    if (to.startsWith(`${from}/`)) throw new CarrelError("folder.into-itself");
    const frozen = await keyed<Omit<FrozenChange, "after">>(
      this.dataSource,
      context,
      async (manager) => {
        await this.folders.holdLibrary(manager);
        if (await this.folders.hasPendingMoves(scope, manager, [from, to]))
          throw new CarrelError("folder.being-filled");
        if (!(await this.folders.exists(scope, from, manager)))
          throw new CarrelError("folder.not-found");
        if (to === defaultFolder || (await this.folders.exists(scope, to, manager))) throw taken();
        await this.folders.rename(scope, manager, from, to);
        const { id, outcome } = await this.changes.freeze(
          manager,
          scope,
          { kind: "rename", from, to },
          inFolder(from),
        );
        return { id, outcome };
      },
    );
    await this.changes.begin({ ...frozen, after: () => undefined });
    this.notice.announce();
    return { success: true };
  }

  /**
   * Purges the folder's documents as well. Unknown folders are ignored, and the uploads folder is
   * never removed (wire-contract 2.4).
   */
  @Handle(removeFolder)
  async remove(input: In<typeof removeFolder>, { scope }: RequestContext): Promise<void> {
    const name = input.name.replace(/^\/+|\/+$/g, "");
    if (name === defaultFolder || !folderName.safeParse(name).success) return;
    const frozen = await this.dataSource.transaction(async (manager) => {
      await this.folders.remove(scope, manager, name);
      return this.changes.freeze(manager, scope, { kind: "purge" }, inFolder(name));
    });
    await this.changes.begin(frozen);
    this.notice.announce();
  }
}

/** Tree order: a folder comes before its descendants. */
const byPath = (a: { name: string }, b: { name: string }): number => {
  const [left, right] = [a.name.split("/"), b.name.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left[at] !== right[at]) return left[at]!.localeCompare(right[at]!);
  return left.length - right.length;
};

/** The library for the document manager. */
@Controller()
class LibraryHandler {
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

/** Moves and removes documents by docpath, as existing clients do. */
@Controller()
class LibraryFileChangeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly changes: LibraryChanges,
    private readonly mover: FileMover,
    private readonly notice: LibraryNotice,
  ) {}

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
    if (outcome.moved > 0) this.notice.announce();
    return outcome;
  }

  /** Removes documents from the library and every workspace, ignoring unknown docpaths. */
  private async remove(scope: Scope, docpaths: string[]): Promise<void> {
    const documentIds = await this.documents.listIds(scope, docpaths);
    if (documentIds.length > 0)
      await this.changes.start({ ...scope, workspace: null }, { kind: "purge" }, { documentIds });
  }
}

/** Reads documents again in the encoding that a person chose. */
@Controller()
class DocumentEncodingHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(changeEncoding)
  async change(
    { documentId, encoding }: In<typeof changeEncoding>,
    { scope }: RequestContext,
  ): Promise<Out<typeof changeEncoding>> {
    const document = await this.documents.find(scope, documentId);
    if (!document?.inLibrary) throw new CarrelError("document.not-found");
    if (document.blobKey === null) throw new CarrelError("file.original-gone");
    // The original has other documents too: reading it would replace or double them.
    if (document.uploadId !== null || document.sheetCount !== null)
      throw new CarrelError("file.encoding-of-part");
    const queued = await this.dataSource.transaction(async (manager) => {
      const due = await this.documents.requeueAs(scope, manager, documentId, encoding);
      if (!due) return null;
      const rows = await this.workspaceDocuments.requeueEverywhere(scope, manager, documentId);
      await this.outbox.add(manager, parseJob(due, rows[0]?.workspaceId ?? null));
      return rows;
    });
    if (queued === null) return { success: false };
    const now = await this.documents.find(scope, documentId);
    if (now) {
      if (queued.length === 0) this.progress.announce(now, null);
      for (const w of queued) this.progress.announce(now, w);
    }
    this.notice.announce();
    return { success: true };
  }
}

@Module({
  imports: [BlobModule, DocumentModule, SettingModule],
  controllers: [
    DocumentEncodingHandler,
    FolderHandler,
    LibraryFileChangeHandler,
    LibraryFileHandler,
    LibraryHandler,
    SelectionHandler,
  ],
  providers: [
    ChangePage,
    FileMover,
    FolderRepository,
    LibraryChanges,
    LibraryRepository,
    LibraryTree,
    SelectionResolver,
    UploadedDocuments,
  ],
  exports: [LibraryChanges, LibraryRepository],
})
export class LibraryModule {}
