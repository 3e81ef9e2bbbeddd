import { publishRevision, servicePrincipal, type JobPayload } from "@carrel/contracts";
import {
  Process,
  ProcessFailed,
  Reconciler,
  type JobContext,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, IsNull } from "typeorm";
import { BlobModule } from "../blob/blob.module.ts";
import { ChunkingModule } from "../chunking/chunking.module.ts";
import { revisionJob } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { publicPath } from "../document/document-remover.ts";
import { Document } from "../document/document.entity.ts";
import { DocumentModule } from "../document/document.module.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { IndexModule } from "../index/index.module.ts";
import { DocumentVersionRepository } from "./document-version.repository.ts";
import { matchParts } from "./match-parts.ts";
import { RevisedParts } from "./revised-parts.ts";
import { RevisionPublication } from "./revision-publication.ts";
import { RevisionSplitter } from "./revision-splitter.ts";
import { RevisionSwitch, type Replacement } from "./revision-switch.ts";
import { RevisionLostError, RevisionReservations, RevisionWriter } from "./revision-writer.ts";
import { RevisionRepository } from "./revision.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

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
