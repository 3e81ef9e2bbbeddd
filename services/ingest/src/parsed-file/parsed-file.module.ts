import { randomUUID } from "node:crypto";
import {
  CarrelError,
  deleteParsedFiles,
  findMissingUsers,
  findParsedFiles,
  listFileThreads,
  parseThreadFile,
  promoteParsedFile,
  registerParsedFile,
  servicePrincipal,
  userDeleted,
  workspaceDocumentsChanged,
  type In,
  type Out,
  type ReasonWire,
} from "@carrel/contracts";
import {
  Handle,
  OrphanReconciler,
  Outbox,
  RequestClient,
  eventMessage,
  jobMessage,
  keyed,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { BlobModule } from "../blob/blob.module.ts";
import { buildDocpath, cleanFilename, defaultFolder } from "../document/docpath.ts";
import { indexJob, ownerOf } from "../document/document-jobs.ts";
import { DocumentModule } from "../document/document.module.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import {
  ParsedFileRemover,
  ParsedFileRepository,
  type ParsedFilePair,
} from "./parsed-file.repository.ts";

/** Folder in the docpaths of files outside the library (wire-contract 6). */
const threadFolder = "direct-uploads";
/**
 * Maximum number of files per user and thread; all of them go into every prompt and must fit into
 * one reply between services.
 */
const maxFiles = 200;
const pageSize = 5_000;

@Controller()
class ParsedFileHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly sweeper: BlobSweeper,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly files: ParsedFileRepository,
  ) {}

  @Handle(registerParsedFile)
  async register(
    input: In<typeof registerParsedFile>,
    context: RequestContext,
  ): Promise<Out<typeof registerParsedFile>> {
    if (input.blobKey !== `original/${input.sha256}`) throw new CarrelError("upload.not-stored");
    const scope = requireWorkspace(context.scope);
    return keyed(this.dataSource, context, async (manager) => {
      await this.workspaceDocuments.holdWorkspace(scope, manager);
      await this.expectOwner(manager, input.threadId, scope.principal.userId);
      if ((await this.files.count(scope, input.threadId, manager)) >= maxFiles)
        throw new CarrelError("parsed-file.too-many", { limit: maxFiles });
      if (!(await this.sweeper.hold(manager, input.blobKey)))
        throw new CarrelError("parsed-file.lost");
      const documentId = randomUUID();
      const filename = cleanFilename(input.filename);
      await this.documents.create(scope, manager, {
        id: documentId,
        folder: threadFolder,
        filename,
        title: filename,
        docpath: buildDocpath({ folder: threadFolder, filename, id: documentId }),
        url: `file://${filename}`,
        docAuthor: "Unknown",
        description: "Unknown",
        docSource: "",
        chunkSource: "",
        published: new Date().toLocaleString("en-US"),
        declaredMime: input.mime,
        mime: input.mime ?? "application/octet-stream",
        bytes: input.bytes,
        sha256: input.sha256,
        blobKey: input.blobKey,
        inLibrary: false,
      });
      const id = await this.files.create(scope, manager, input.threadId, documentId);
      const owner = ownerOf(scope.principal.userId, scope.workspace.id);
      await this.outbox.add(
        manager,
        jobMessage(parseThreadFile, {
          rowId: documentId,
          version: 1,
          payload: { documentId, version: 1, owner },
        }),
      );
      return { id, documentId };
    });
  }

  @Handle(findParsedFiles)
  async list(
    input: In<typeof findParsedFiles>,
    context: RequestContext,
  ): Promise<Out<typeof findParsedFiles>> {
    return {
      files: (
        await this.files.list(requireWorkspace(context.scope), input.threadId, input.ids)
      ).map(mapParsedFile),
    };
  }

  @Handle(deleteParsedFiles)
  async delete(input: In<typeof deleteParsedFiles>, context: RequestContext): Promise<void> {
    if (input.fileIds.length === 0) throw new CarrelError("parsed-file.none-named");
    if ((await this.files.delete(requireWorkspace(context.scope), input.fileIds)) === 0)
      throw notFound();
  }

  /** Moves the existing document into the library, without another upload or parse. */
  @Handle(promoteParsedFile)
  async promote(
    input: In<typeof promoteParsedFile>,
    context: RequestContext,
  ): Promise<Out<typeof promoteParsedFile>> {
    const scope = requireWorkspace(context.scope);
    const outcome = await keyed(
      this.dataSource,
      context,
      async (
        manager,
      ): Promise<{ documentId: string; refused: ReasonWire | null; fileId: number }> => {
        await this.workspaceDocuments.holdWorkspace(scope, manager);
        const pair = await this.files.lock(scope, manager, input.id);
        if (!pair) throw notFound();
        const { document, file } = pair;
        const outcome = { documentId: document.id, refused: null, fileId: file.id };
        if (document.state === "failed")
          return { ...outcome, refused: document.reason ?? { code: "file.unread" } };
        if (document.state !== "parsed") throw new CarrelError("parsed-file.being-read");
        await this.files.promote(scope, manager, pair, {
          folder: defaultFolder,
          docpath: buildDocpath({
            folder: defaultFolder,
            filename: document.filename,
            id: document.id,
          }),
        });
        const due = await this.workspaceDocuments.add(scope, manager, document.id);
        if (due) await this.outbox.add(manager, indexJob(due, scope.workspace.id));
        await this.outbox.add(
          manager,
          eventMessage(workspaceDocumentsChanged, { workspaceId: scope.workspace.id }),
        );
        return outcome;
      },
    );
    if (outcome.refused !== null) {
      // wire-contract 3.3: the row is deleted even if the document is refused.
      await this.files.delete(scope, [outcome.fileId]);
      throw new CarrelError("document.unreadable", { reason: outcome.refused });
    }
    return { documentId: outcome.documentId };
  }

  @Handle(listFileThreads)
  async threads(
    input: In<typeof listFileThreads>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listFileThreads>> {
    const threads = await this.files.listThreadIds(scope, input.after, pageSize);
    return { threads, next: threads.length < pageSize ? null : threads.at(-1)!.threadId };
  }

  /**
   * Rejects a request still in flight when its thread or user was deleted. Throws THREAD_NOT_FOUND.
   */
  private async expectOwner(
    manager: EntityManager,
    threadId: number,
    userId: number | null,
  ): Promise<void> {
    const [gone] = await manager.query<{ thread: boolean; user: boolean }[]>(
      `SELECT EXISTS (SELECT 1 FROM ingest.deleted_thread WHERE thread_id = $1) AS thread,
      EXISTS (SELECT 1 FROM ingest.deleted_user WHERE user_id = $2::int) AS "user"`,
      [threadId, userId],
    );
    if (gone!.thread || gone!.user) throw new CarrelError("thread.not-found");
  }
}

const notFound = (): CarrelError => new CarrelError("parsed-file.not-found");

/**
 * Maps a file to the row of a thread's list (wire-contract 3.3). `metadata` is the document's JSON
 * without its text.
 */
function mapParsedFile({
  file,
  document: d,
}: ParsedFilePair): Out<typeof findParsedFiles>["files"][number] {
  const metadata = {
    id: d.id,
    url: d.url,
    title: d.title,
    docAuthor: d.docAuthor,
    description: d.description,
    docSource: d.docSource,
    chunkSource: d.chunkSource,
    published: d.published,
    wordCount: d.wordCount,
    token_count_estimate: d.tokenCount,
    location: d.docpath,
    isDirectUpload: true,
  };
  return {
    id: file.id,
    filename: d.docpath.slice(d.folder.length + 1),
    workspaceId: file.workspaceId,
    userId: file.userId,
    threadId: file.threadId,
    metadata: JSON.stringify(metadata),
    tokenCountEstimate: d.tokenCount,
    createdAt: file.createdAt.toISOString(),
    title: d.title,
    location: d.docpath,
    documentId: d.id,
    state: d.state === "parsing" ? "queued" : d.state,
    reason: d.reason,
  };
}

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Deletes thread files of users whose deletion was lost in Redis; the library keeps its documents,
 * whoever uploaded them.
 */
@Injectable()
export class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly files: ParsedFileRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.files.listUserIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}

@Module({
  imports: [BlobModule, DocumentModule],
  controllers: [ParsedFileHandler],
  providers: [ParsedFileRemover, ParsedFileRepository, UserOrphanReconciler],
  exports: [ParsedFileRepository],
})
export class ParsedFileModule {}
