import { randomUUID } from "node:crypto";
import {
  CarrelError,
  clipText,
  readChunkSource,
  registerDocument,
  servicePrincipal,
  type In,
  type Out,
  documentChecked,
  documentsGone,
  reviseDocument,
} from "@carrel/contracts";
import {
  Handle,
  Outbox,
  Reconciler,
  keyed,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { BlobModule } from "../blob/blob.module.ts";
import { AudienceRepository } from "../document/audience.repository.ts";
import { buildDocpath, cleanFilename, cleanFolder } from "../document/docpath.ts";
import { embedJob, ownerOf, parseJob } from "../document/document-jobs.ts";
import { kindOf } from "../document/document-kind.ts";
import { Document } from "../document/document.entity.ts";
import { DocumentModule } from "../document/document.module.ts";
import { DocumentRepository, type NewDocument } from "../document/document.repository.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { PublishedEmbedder } from "../index/document-embedder.ts";
import { IndexModule } from "../index/index.module.ts";
import { sourceByExtension } from "../parsing/formats.ts";
import { RevisionModule } from "../revision/revision.module.ts";
import { RevisionRepository, type Content } from "../revision/revision.repository.ts";
import { TranscriptionModule } from "../transcription/transcription.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentParser, TextExtractor } from "./document-parser.ts";
import { DocumentHandler } from "./document.handler.ts";
import { IntakeGate, uploadLeaseMs } from "./intake-gate.ts";
import { ParseOutcome, ParsedWriter } from "./parse-outcome.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { ParsingJobs, PictureReader } from "./parsing-jobs.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { RecordingTranscriber } from "./recording-transcriber.ts";
import { RegistrationRepository, type Registered } from "./registration.repository.ts";
import { SheetDocuments } from "./sheet-documents.ts";
import { UnreadPictures } from "./unread-pictures.ts";

/** Gives documents new content. */
@Controller()
class RevisionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly sweeper: BlobSweeper,
    private readonly gate: IntakeGate,
    private readonly revisions: RevisionRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
  ) {}

  @Handle(reviseDocument)
  async revise(
    { documentId, ...content }: In<typeof reviseDocument>,
    context: RequestContext,
  ): Promise<Out<typeof reviseDocument>> {
    const { scope } = context;
    if (content.blobKey !== `original/${content.sha256}`)
      throw new CarrelError("upload.not-stored");
    const result = await keyed(this.dataSource, context, async (manager) => {
      if (!(await this.sweeper.hold(manager, content.blobKey)))
        throw new CarrelError("upload.lost");
      const target = await this.revisions.lockDocument(scope, manager, documentId);
      if (target === null) throw new CarrelError("document.not-found");
      await this.revisions.noteFound(manager, target.id);
      const pending = await this.revisions.findPending(scope, manager, target.id);
      const checkedAt = new Date(content.checkedAt);
      const isLate = [target, pending].some(
        (known) => known?.checkedAt && known.checkedAt > checkedAt,
      );
      if (isLate) return { state: "unchanged" as const };
      if (pending?.sha256 === content.sha256) {
        await manager.update(Document, { revises: target.id }, { checkedAt });
        return { state: "revising" as const };
      }
      await this.revisions.dropPending(scope, manager, target.id);
      if (target.sha256 === content.sha256) {
        await this.revisions.confirm(scope, manager, target.id, content.checkedAt);
        return { state: "unchanged" as const };
      }
      await this.gate.admit(scope, manager);
      await this.begin(manager, context, target, content);
      return { state: "revising" as const };
    });
    this.sweeper.soon();
    return result;
  }

  @Handle(documentChecked)
  async noteChecked(
    { documentId, checkedAt }: In<typeof documentChecked>,
    { scope }: RequestContext,
  ): Promise<Out<typeof documentChecked>> {
    await this.revisions.noteChecked(scope, documentId, checkedAt);
    return {};
  }

  @Handle(documentsGone)
  async noteGone(
    { documentIds }: In<typeof documentsGone>,
    { scope }: RequestContext,
  ): Promise<Out<typeof documentsGone>> {
    await this.revisions.noteGone(scope, documentIds);
    return {};
  }

  /** A document without a text has nothing to keep meanwhile. */
  private async begin(
    manager: EntityManager,
    { scope }: RequestContext,
    target: Document,
    content: Content,
  ): Promise<void> {
    if (target.textLength > 0) {
      const revision = await this.revisions.create(scope, manager, target, content);
      await this.outbox.add(manager, parseJob(revision, null));
      return;
    }
    const unread = await this.revisions.replaceUnread(scope, manager, target, content);
    const [waiting] = await this.workspaceDocuments.requeueEverywhere(scope, manager, target.id);
    if (target.blobKey !== null) await this.sweeper.note(manager, [target.blobKey]);
    await this.outbox.add(manager, parseJob(unread, waiting?.workspaceId ?? null));
  }
}

@Controller()
class DocumentRegistrationHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly sweeper: BlobSweeper,
    private readonly documents: RegistrationRepository,
    private readonly audiences: AudienceRepository,
    private readonly notice: LibraryNotice,
    private readonly gate: IntakeGate,
  ) {}

  @Handle(registerDocument)
  async register(
    input: In<typeof registerDocument>,
    context: RequestContext,
  ): Promise<Out<typeof registerDocument>> {
    if (input.blobKey !== `original/${input.sha256}`) throw new CarrelError("upload.not-stored");
    const { principal, workspace } = context.scope;
    const owner = ownerOf(principal.userId, input.embed ? (workspace?.id ?? null) : null);
    const isParsedHere = this.gate.tryReserve(owner);
    let registered: Registered | null = null;
    try {
      const stored = await this.store(input, context, isParsedHere);
      registered = stored.registered;
      return stored.result;
    } catch (fault) {
      // A duplicate gets the first result, even if it could no longer be carried out.
      return await keyed(this.dataSource, context, () =>
        Promise.reject(fault instanceof Error ? fault : new Error(String(fault))),
      );
    } finally {
      if (isParsedHere && registered) this.gate.start(registered);
      else if (isParsedHere) this.gate.release(owner);
      this.notice.announce();
    }
  }

  private store(
    input: In<typeof registerDocument>,
    context: RequestContext,
    isParsedHere: boolean,
  ): Promise<{ result: Out<typeof registerDocument>; registered: Registered }> {
    const { scope } = context;
    const workspaceId = input.embed ? (scope.workspace?.id ?? null) : null;
    const folder = cleanFolder(input.folder);
    const place = { folder, workspaceId };
    const refuseIdentical = input.refuseIdentical ?? false;
    return this.dataSource.transaction(async (manager) => {
      await this.documents.hold(manager, input.blobKey, place, { refuseIdentical });
      if (!(await this.sweeper.isStored(input.blobKey))) throw new CarrelError("upload.lost");
      await this.gate.admit(scope, manager);
      const id = randomUUID();
      const filename = cleanFilename(input.filename);
      if (refuseIdentical) {
        const name = await this.documents.findIdentical(scope, manager, input.blobKey, place);
        if (name !== null) throw new CarrelError("upload.identical", { name });
      }
      const chunkSource = input.metadata.chunkSource ?? "";
      const source = readChunkSource(chunkSource);
      const isLink = source.kind === "link";
      const title = input.metadata.title?.trim() || filename;
      const docpath = buildDocpath({
        folder,
        filename: isLink
          ? filename.replace(/\.html$/, "")
          : input.prefix
            ? filename.replace(/\.txt$/, "")
            : filename,
        id,
        prefix: isLink ? "url-" : input.prefix,
      });
      const document: NewDocument = {
        id,
        folder,
        filename,
        title: clipText(title, 1_000),
        docpath,
        url: input.metadata.url ?? `file://${filename}`,
        docAuthor: input.metadata.docAuthor ?? "Unknown",
        description: input.metadata.description ?? "Unknown",
        // Usually what parsing will find; a later change would update the library's search index.
        docSource: input.metadata.docSource ?? sourceByExtension(filename),
        chunkSource,
        isUpload: input.isUpload,
        published: input.metadata.published ?? new Date().toLocaleString("en-US"),
        declaredMime: input.mime,
        mime: input.mime ?? "application/octet-stream",
        kind: kindOf({ filename, mime: input.mime ?? "", source }),
        bytes: input.bytes,
        sha256: input.sha256,
        blobKey: input.blobKey,
        audienceId: input.access
          ? await this.audiences.ensure(manager, input.access.readers)
          : null,
      };
      const result = { documentId: id, title, docpath, sha256: input.sha256 };
      const registered = await this.documents.create(
        context,
        manager,
        document,
        workspaceId,
        result,
        isParsedHere ? uploadLeaseMs : null,
      );
      if (!registered) throw new CarrelError("request.duplicate");
      if (!isParsedHere) await this.outbox.add(manager, parseJob(registered.document, workspaceId));
      return { result, registered };
    });
  }
}

const scope = { principal: servicePrincipal, workspace: null };

/** Requeues documents whose parse job was lost, and deletes forgotten failed ones. */
@Injectable()
class ParsingReconciler extends Reconciler {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly parsing: ParsingRepository,
    private readonly pictures: UnreadPictures,
    private readonly audiences: AudienceRepository,
    private readonly sweeper: BlobSweeper,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.deleteForgotten().catch((error: unknown) =>
      this.logger.warn({ err: error }, "couldn't delete failed documents"),
    );
    await this.audiences
      .deleteUnused()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't delete unused audiences"),
      );
    const due = await this.parsing.listDue(scope);
    return [
      ...due.map((document) => parseJob(document, document.workspaceId)),
      ...(await this.pictures.listLost(scope)),
    ];
  }

  private async deleteForgotten(): Promise<void> {
    await this.dataSource.transaction(async (manager) =>
      this.sweeper.note(manager, await this.documents.deleteForgotten(scope, manager)),
    );
  }
}

/**
 * Queues uploads whose process died while it parsed or embedded them without a job. No lock in
 * Redis shows that, so PostgreSQL is asked often.
 */
@Injectable()
class LapsedUploadReconciler extends Reconciler {
  override readonly everyMs = 10_000;

  constructor(
    private readonly parsing: ParsingRepository,
    private readonly embedder: PublishedEmbedder,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const [unparsed, unembedded] = await Promise.all([
      this.parsing.listLapsed(scope),
      this.embedder.listInterrupted(),
    ]);
    return [
      ...unparsed.map((document) => parseJob(document, document.workspaceId)),
      ...unembedded.map((row) => embedJob(row, row.workspaceId)),
    ];
  }
}

@Module({
  imports: [
    BlobModule,
    TranscriptionModule,
    WorkPoolModule,
    DocumentModule,
    IndexModule,
    RevisionModule,
  ],
  controllers: [DocumentHandler, DocumentRegistrationHandler, RevisionHandler],
  providers: [
    DocumentParser,
    IntakeGate,
    LapsedUploadReconciler,
    ParseOutcome,
    ParsedTwin,
    ParsedWriter,
    ParsingJobs,
    ParsingReconciler,
    ParsingRepository,
    PictureReader,
    RecordingTranscriber,
    RegistrationRepository,
    SheetDocuments,
    TextExtractor,
    UnreadPictures,
  ],
})
export class IntakeModule {}
