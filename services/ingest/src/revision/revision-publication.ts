import { servicePrincipal } from "@carrel/contracts";
import { Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { createChunks, deleteChunks } from "../chunking/published-chunks.ts";
import { embedJob, indexJob } from "../document/document-jobs.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Embedder } from "../index/embedder.ts";
import { IndexGarbage } from "../index/index-garbage.ts";
import { partlyEmbedded, type WrittenRevision } from "./revision-writer.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Publishes what was written of a revision, in the transaction that switches its document. */
@Injectable()
export class RevisionPublication {
  constructor(
    private readonly outbox: Outbox,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly garbage: IndexGarbage,
    private readonly embedder: Embedder,
  ) {}

  /** Makes the rows that were written live in every workspace that holds the document. */
  async publish(
    manager: EntityManager,
    target: Document,
    { publications, chunks, textPlace, table, isPartlyEmbedded }: WrittenRevision,
  ): Promise<WorkspaceDocument[]> {
    const rows = await manager.query<
      { id: number; workspaceId: number; old: number | null; version: number }[]
    >(
      `SELECT id, workspace_id AS "workspaceId", index_version AS old, version
      FROM ingest.workspace_document
      WHERE document_id = $1
      ORDER BY id FOR UPDATE`,
      [target.id],
    );
    const [active] = await manager.query<unknown[]>(
      `SELECT 1 FROM ingest.search_index
      WHERE role = 'active' AND text_place = $1 AND ($2::text IS NULL OR table_name = $2)`,
      [textPlace, table],
    );
    if (!active) throw new Error("The search index has changed.");
    const reserved = new Map(publications.map((w) => [w.id, w]));
    const written = rows.flatMap((row) => {
      const publication = reserved.get(row.id);
      return publication ? [{ ...row, publication }] : [];
    });
    const late = rows.filter(({ id }) => !reserved.has(id));
    if (
      late.some(({ old }) => old !== null) ||
      written.some(({ old, publication }) => (old ?? 0) > publication.version)
    )
      throw new Error("The old content was published while the new one was written.");
    for (const { id, workspaceId, old } of written) {
      const workspace = serviceScope(workspaceId);
      await deleteChunks(workspace, manager, id);
      if (old !== null) await this.garbage.add(workspace, manager, buildPublicationId(id, old));
    }
    await manager.query(
      `UPDATE ingest.workspace_document w SET state = CASE
          WHEN $3::text IS NULL THEN 'searchable'
          ELSE 'embedded'
        END,
        reason = $5, version = w.version + 1, index_version = p.version, embedded_model = $3,
        searchable_at = now(), embedded_at = CASE WHEN $3::text IS NOT NULL THEN now() END,
        chunk_count = $4, chunks_done = $4, retry_at = NULL, lease_until = NULL,
        last_updated_at = now()
      FROM unnest($1::int[], $2::int[]) AS p(id, version)
      WHERE w.id = p.id`,
      [
        written.map(({ id }) => id),
        written.map(({ publication }) => publication.version),
        table,
        chunks.length,
        isPartlyEmbedded ? JSON.stringify(partlyEmbedded) : null,
      ],
    );
    await createChunks(
      scope,
      manager,
      written.map(({ publication: w }) => ({ w, chunks })),
    );
    await manager.query(
      `UPDATE ingest.revision_publication SET is_published = true
      WHERE workspace_document_id = ANY($1::int[]) AND version = ANY($2::int[])`,
      [written.map(({ id }) => id), written.map(({ publication }) => publication.version)],
    );
    // Those that were added meanwhile find the new text when they are indexed.
    await this.queueLate(
      manager,
      late.map(({ id }) => id),
    );
    const published = await this.workspaceDocuments.listOfDocument(scope, target.id, manager);
    const isEmbeddedLater = table === null && this.embedder.isReady;
    if (isEmbeddedLater)
      await this.outbox.add(
        manager,
        ...published.filter(({ id }) => reserved.has(id)).map((w) => embedJob(w, w.workspaceId)),
      );
    return published;
  }

  private async queueLate(manager: EntityManager, ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    const [rows] = await manager.query<
      [{ id: number; version: number; workspaceId: number }[], number]
    >(
      `UPDATE ingest.workspace_document SET state = 'queued', reason = NULL,
        version = version + 1, lease_until = NULL, last_updated_at = now()
      WHERE id = ANY($1::int[])
      RETURNING id, version, workspace_id AS "workspaceId"`,
      [ids],
    );
    await this.outbox.add(manager, ...rows.map((row) => indexJob(row, row.workspaceId)));
  }
}
