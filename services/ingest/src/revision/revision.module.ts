import {
  publishRevision,
  servicePrincipal,
  type JobPayload,
  workspaceDocumentsChanged,
} from "@carrel/contracts";
import {
  Process,
  ProcessFailed,
  Reconciler,
  type JobContext,
  type OutboxMessage,
  Outbox,
  eventMessage,
} from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, IsNull, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { BlobModule } from "../blob/blob.module.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { revisionJob, pictureJob } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { publicPath } from "../document/document-remover.ts";
import { Document } from "../document/document.entity.ts";
import { DocumentModule } from "../document/document.module.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { IndexModule } from "../index/index.module.ts";
import { roleLock } from "../index/search-index.repository.ts";
import { DocumentVersionRepository } from "./document-version.repository.ts";
import { RevisedParts, matchParts } from "./revised-parts.ts";
import { RevisionPublication } from "./revision-publication.ts";
import { RevisionSplitter } from "./revision-splitter.ts";
import {
  RevisionLostError,
  RevisionReservations,
  RevisionWriter,
  type WrittenRevision,
} from "./revision-writer.ts";
import { RevisionRepository } from "./revision.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** New content with the document that it replaces; `written` is null if its text is the same. */
interface Replacement {
  revision: Document;
  target: Document;
  written: WrittenRevision | null;
}

/** What the new content of an original changes. */
interface RevisedOriginal {
  /** The revision that the job claimed. */
  run: Pick<Document, "id" | "run">;
  documentId: string;
  replaced: Replacement[];
  added: Document[];
  gone: Document[];
}

/**
 * Switches documents to their new content in one transaction: from its commit on, every workspace
 * finds the new text, with its chunks, words and vectors.
 */
@Injectable()
class RevisionSwitch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly versions: DocumentVersionRepository,
    private readonly publication: RevisionPublication,
    private readonly parts: RevisedParts,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly sweeper: BlobSweeper,
  ) {}

  /**
   * Returns the workspaces with changes. Throws if the documents or the index have changed since the
   * revision was written, so that it is written again.
   */
  async apply(original: RevisedOriginal): Promise<Set<number>> {
    const workspaces = await this.dataSource.transaction(async (manager) => {
      // Prevents changes of index roles until this transaction ends.
      await manager.query(`SELECT pg_advisory_xact_lock_shared(${roleLock})`);
      await this.hold(manager, original);
      const changed = new Set<number>();
      for (const replacement of original.replaced)
        for (const workspaceId of await this.replace(manager, replacement))
          changed.add(workspaceId);
      const holders = await this.workspaceDocuments.listOfDocument(
        scope,
        original.documentId,
        manager,
      );
      for (const part of original.added) {
        await this.parts.add(manager, part, original.documentId, holders);
        for (const { workspaceId } of holders) changed.add(workspaceId);
      }
      for (const document of original.gone)
        for (const workspaceId of await this.parts.remove(manager, document))
          changed.add(workspaceId);
      await this.outbox.add(
        manager,
        ...[...changed].map((workspaceId) =>
          eventMessage(workspaceDocumentsChanged, { workspaceId }),
        ),
      );
      return changed;
    });
    this.sweeper.soon();
    return workspaces;
  }

  /** Locks the documents, which nobody can then change or add to a workspace. */
  private async hold(
    manager: EntityManager,
    { run, documentId, replaced, gone }: RevisedOriginal,
  ): Promise<void> {
    const first = replaced.find(({ target }) => target.id === documentId)!.target;
    const targets = [first, ...replaced.map(({ target }) => target), ...gone];
    // The first one before the others, as whoever revises the document does.
    await manager.query("SELECT 1 FROM ingest.document WHERE id = $1 FOR UPDATE", [first.id]);
    const rows = await manager.query<{ id: string; version: number }[]>(
      `SELECT id, version FROM ingest.document
      WHERE id = ANY($1::uuid[]) AND in_library
      ORDER BY id FOR UPDATE`,
      [targets.map(({ id }) => id)],
    );
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    const [claimed] = await manager.query<unknown[]>(
      "SELECT 1 FROM ingest.document WHERE id = $1 AND run = $2 AND state = 'parsed' FOR UPDATE",
      [run.id, run.run],
    );
    if (!claimed || !versions.has(documentId)) throw new RevisionLostError();
    if (targets.some(({ id, version }) => versions.get(id) !== version))
      throw new Error("The document has changed while its new content was written.");
  }

  private async replace(
    manager: EntityManager,
    { revision, target, written }: Replacement,
  ): Promise<number[]> {
    if (written !== null) {
      await this.versions.keep(scope, manager, target.id);
      await swapTexts(manager, revision.id, target.id);
    }
    await this.replaceColumns(manager, revision, target, written !== null);
    const published =
      written === null ? [] : await this.publication.publish(manager, target, written);
    if (target.blobKey !== null && target.blobKey !== revision.blobKey)
      await this.sweeper.note(manager, [target.blobKey]);
    await manager.query("DELETE FROM ingest.document WHERE id = $1", [revision.id]);
    const { picturesDue } = revision;
    if (written !== null && picturesDue !== null && picturesDue > 0)
      await this.outbox.add(
        manager,
        pictureJob({ ...target, version: target.version + 1 }, published[0]?.workspaceId ?? null),
      );
    return published.map(({ workspaceId }) => workspaceId);
  }

  /** A run that still works on the old text finds a newer version, and stores nothing. */
  private async replaceColumns(
    manager: EntityManager,
    { id, version: _version, ...revision }: Document,
    target: Document,
    isNewText: boolean,
  ): Promise<void> {
    const { uploadId } = revision;
    await manager.update(
      Document,
      { id: target.id },
      {
        filename: revision.filename,
        title: revision.title,
        url: revision.url,
        docAuthor: revision.docAuthor,
        description: revision.description,
        docSource: revision.docSource,
        chunkSource: revision.chunkSource,
        published: revision.published,
        declaredMime: revision.declaredMime,
        mime: revision.mime,
        bytes: revision.bytes,
        sha256: revision.sha256,
        blobKey: revision.blobKey,
        kind: revision.kind,
        sheetCount: revision.sheetCount,
        uploadId: uploadId === null ? null : (revision.revises ?? id),
        checkedAt: revision.checkedAt,
        notes: revision.notes,
        ...(isNewText && {
          wordCount: revision.wordCount,
          tokenCount: revision.tokenCount,
          textLength: revision.textLength,
          pages: revision.pages,
          headings: revision.headings,
          recognitionPages: revision.recognitionPages,
          picturesDue: revision.picturesDue,
          pictureAttempts: 0,
          isSlow: revision.isSlow,
          isRecording: revision.isRecording,
          state: "parsed" as const,
          reason: null,
          leaseUntil: null,
          version: target.version + 1,
          revision: target.revision + 1,
          revisedAt: () => "now()",
        }),
      },
    );
  }
}

/** The revision's text and pages become the document's. */
async function swapTexts(manager: EntityManager, from: string, to: string): Promise<void> {
  for (const table of ["document_text", "document_page"]) {
    await manager.query(`DELETE FROM ingest.${table} WHERE document_id = $1`, [to]);
    await manager.query(`UPDATE ingest.${table} SET document_id = $2 WHERE document_id = $1`, [
      from,
      to,
    ]);
  }
}

/** Writes parsed revisions to the indexes and switches their documents over. */
@Injectable()
class RevisionPublisher {
  constructor(
    private readonly dataSource: DataSource,
    private readonly revisions: RevisionRepository,
    private readonly writer: RevisionWriter,
    private readonly publication: RevisionSwitch,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
  ) {}

  @Process(publishRevision, { concurrency: 2 })
  async run(
    { revisionId }: JobPayload<typeof publishRevision>,
    context: JobContext,
  ): Promise<void> {
    const first = await this.revisions.claim(scope, revisionId);
    if (first === null) return;
    try {
      await this.publish(first, context);
    } catch (fault) {
      // Newer content is on its way.
      if (!(fault instanceof RevisionLostError)) throw fault;
    }
  }

  private async publish(first: Document, context: JobContext): Promise<void> {
    const documentId = first.revises!;
    const [revisions, targets] = await Promise.all([
      this.listParts(first.id),
      this.listParts(documentId),
    ]);
    if (targets.length === 0) return;
    const { replaced, added, gone } = matchParts(revisions, targets);
    const written: Replacement[] = [];
    for (const { revision, target } of replaced)
      written.push({
        revision,
        target,
        written: (await this.isSame(revision, target))
          ? null
          : await this.writer.write(first, revision, target.id, context),
      });
    const original = { run: first, documentId, replaced: written, added, gone };
    const workspaceIds = await this.publication.apply(original);
    for (const part of gone)
      for (const workspaceId of workspaceIds)
        this.progress.announceRemoval(workspaceId, part.id, publicPath(part));
    for (const { target } of written) await this.report(target.id);
    for (const { id } of added) await this.report(id);
  }

  /** The documents of one original, the first one first. */
  private async listParts(id: string): Promise<Document[]> {
    const parts = await this.dataSource.manager.find(Document, {
      where: [{ id, uploadId: IsNull() }, { uploadId: id }],
      order: { docpath: "ASC" },
    });
    return parts.toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
  }

  /** Whether the document has the same text under the same title. */
  private async isSame(revision: Document, target: Document): Promise<boolean> {
    if (revision.textLength !== target.textLength || revision.title !== target.title) return false;
    if (target.state !== "parsed" || (revision.picturesDue ?? 0) > 0) return false;
    const [row] = await this.dataSource.query<{ isSame: boolean }[]>(
      `SELECT NOT EXISTS (
        SELECT 1
        FROM (SELECT start, text FROM ingest.document_text WHERE document_id = $1) a
        FULL JOIN (SELECT start, text FROM ingest.document_text WHERE document_id = $2) b
          USING (start)
        WHERE a.text IS DISTINCT FROM b.text
      ) AS "isSame"`,
      [revision.id, target.id],
    );
    return row!.isSame;
  }

  private async report(documentId: string): Promise<void> {
    const document = await this.documents.find(scope, documentId);
    if (!document) return;
    const rows = await this.workspaceDocuments.listOfDocument(scope, documentId);
    if (rows.length === 0) this.progress.announce(document, null);
    for (const w of rows) this.progress.announce(document, w);
  }
}

/** Says at documents that their new content couldn't be published. */
@Injectable()
class RevisionFailures {
  constructor(private readonly revisions: RevisionRepository) {}

  @ProcessFailed(publishRevision)
  async postpone({ revisionId }: JobPayload<typeof publishRevision>): Promise<void> {
    await this.revisions.postpone(scope, revisionId, { code: "document.not-indexed" });
  }
}

/** Publishes revisions whose jobs were lost or failed. */
@Injectable()
class RevisionReconciler extends Reconciler {
  constructor(private readonly revisions: RevisionRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    return (await this.revisions.listDue(scope)).map((revision) => revisionJob(revision));
  }
}

@Module({
  imports: [BlobModule, ChunkingModule, DocumentModule, IndexModule],
  providers: [
    DocumentVersionRepository,
    RevisedParts,
    RevisionFailures,
    RevisionPublication,
    RevisionPublisher,
    RevisionReconciler,
    RevisionRepository,
    RevisionReservations,
    RevisionSplitter,
    RevisionSwitch,
    RevisionWriter,
  ],
  exports: [DocumentVersionRepository, RevisionRepository],
})
export class RevisionModule {}
