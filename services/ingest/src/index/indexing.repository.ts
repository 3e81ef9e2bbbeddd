import type { Scope, WorkspaceScope, KnownFault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { Document } from "../document/document.entity.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { roleLock } from "./search-index.repository.ts";

export type WorkState = "indexing" | "embedding";

/** Renewed with each progress report: longer than one window, or one call to a slow embedder. */
const leaseMs: Record<WorkState, number> = { indexing: 60_000, embedding: 180_000 };

interface Claim {
  w: WorkspaceDocument;
  /** True if no earlier run has begun this step of this version. */
  first: boolean;
}

/** The steps of a workspace document from queued to embedded; each holds a lease on the row. */
@Injectable()
export class IndexingRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chunks: ChunkRepository,
    private readonly garbage: IndexGarbage,
  ) {}

  find(
    _scope: Scope,
    id: number,
    manager = this.dataSource.manager,
  ): Promise<WorkspaceDocument | null> {
    return manager.findOneBy(WorkspaceDocument, { id });
  }

  /** Claims the row and loads its document; null if this version is no longer due. */
  async claimDocument(
    scope: Scope,
    id: number,
    version: number,
    state: WorkState,
  ): Promise<(Claim & { document: Document }) | null> {
    const claim = await this.claim(scope, id, version, state);
    const document =
      claim && (await this.dataSource.manager.findOneBy(Document, { id: claim.w.documentId }));
    return document ? { ...claim!, document } : null;
  }

  private async claim(
    _scope: Scope,
    id: number,
    version: number,
    state: WorkState,
  ): Promise<Claim | null> {
    const from = state === "indexing" ? ["queued", "indexing"] : ["searchable", "embedding"];
    const rows = await this.dataSource.query<
      [(Record<string, unknown> & { before: string; told: string | null })[], number]
    >(
      `WITH "old" AS (SELECT "id", "state", "reason" FROM "ingest"."workspace_document" WHERE "id" = $1 AND "version" = $2 AND "state" = ANY($5) FOR UPDATE)
      UPDATE "ingest"."workspace_document" w SET "state" = $3, "lease_until" = now() + $4 * interval '1 millisecond', "chunks_done" = 0, "run" = w."run" + 1 FROM "old" WHERE w."id" = "old"."id"
      RETURNING "old"."state" AS "before", "old"."reason" AS "told", ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
      [id, version, state, leaseMs[state], from],
    );
    const row = rows[0][0];
    // A reason was left by an attempt under an earlier version, which may have written rows for the
    // same chunks.
    return row
      ? {
          w: mapEntity(this.dataSource, WorkspaceDocument, row),
          first: row.before === from[0] && row.told === null,
        }
      : null;
  }

  /** Whether the run that claimed the row is still the current one. */
  async holds(
    _scope: Scope,
    { id, version, run }: Pick<WorkspaceDocument, "id" | "version" | "run">,
  ): Promise<boolean> {
    return (
      (
        await this.dataSource.query<unknown[]>(
          `SELECT 1 FROM "ingest"."workspace_document" WHERE "id" = $1 AND "version" = $2 AND "run" = $3`,
          [id, version, run],
        )
      ).length > 0
    );
  }

  /** Records progress and renews the lease; false if the row is gone or has a newer version. */
  async noteProgress(
    _scope: Scope,
    { id, version, state }: Pick<WorkspaceDocument, "id" | "version" | "state">,
    done: number,
    total: number,
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "chunks_done" = $3, "chunk_count" = $4, "lease_until" = now() + $5 * interval '1 millisecond' WHERE "id" = $1 AND "version" = $2 RETURNING 1`,
      [id, version, done, total, leaseMs[state === "embedding" ? "embedding" : "indexing"]],
    );
    return rows[0].length === 1;
  }

  /**
   * First publication: from the commit on, exactly these chunks are live. False if the version is
   * no longer due, or if the active full-text index is no longer in `textPlace`.
   */
  async publishSearchable(
    scope: WorkspaceScope,
    manager: EntityManager,
    id: number,
    version: number,
    chunks: PreparedChunk[],
    textPlace: string,
  ): Promise<boolean> {
    // Prevents changes of index roles until this transaction ends.
    await manager.query(`SELECT pg_advisory_xact_lock_shared($1)`, [roleLock]);
    const rows = await manager.query<[{ old: number | null }[], number]>(
      `WITH "old" AS (SELECT "id", "index_version" FROM "ingest"."workspace_document" WHERE "id" = $1 AND "workspace_id" = $4 FOR UPDATE)
      UPDATE "ingest"."workspace_document" w SET "state" = 'searchable', "reason" = NULL, "index_version" = $2, "chunk_count" = $3, "chunks_done" = $3, "searchable_at" = now(),
        "embedded_at" = NULL, "embedded_model" = NULL, "lease_until" = NULL, "retry_at" = NULL, "last_updated_at" = now()
      FROM "old" WHERE w."id" = "old"."id" AND w."version" = $2 AND w."state" IN ('queued', 'indexing')
        AND EXISTS (SELECT 1 FROM "ingest"."search_index" WHERE "role" = 'active' AND "text_place" = $5) RETURNING "old"."index_version" AS "old"`,
      [id, version, chunks.length, scope.workspace.id, textPlace],
    );
    const published = rows[0][0];
    if (!published) return false;
    if (published.old !== null) {
      await this.chunks.deleteOf(scope, manager, id);
      if (published.old !== version)
        await this.garbage.add(scope, manager, buildPublicationId(id, published.old));
    }
    await this.chunks.create(scope, manager, { id, version }, chunks);
    return true;
  }

  /**
   * Second publication: the table `model` of the active index holds all vectors of the live chunks.
   */
  async publishEmbedded(
    _scope: Scope,
    manager: EntityManager,
    id: number,
    version: number,
    indexVersion: number,
    model: string,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "state" = 'embedded', "reason" = NULL, "embedded_model" = $4, "embedded_at" = now(), "chunks_done" = "chunk_count", "lease_until" = NULL, "retry_at" = NULL, "last_updated_at" = now()
      WHERE "id" = $1 AND "version" = $2 AND "index_version" = $3 AND "state" IN ('searchable', 'embedding')
        AND EXISTS (SELECT 1 FROM "ingest"."search_index" WHERE "role" = 'active' AND "table_name" = $4) RETURNING 1`,
      [id, version, indexVersion, model],
    );
    return rows[0].length === 1;
  }

  /**
   * Returns the document to searchable; embedding is retried after `retryMs` under a new version.
   */
  async postponeEmbedding(
    _scope: Scope,
    id: number,
    version: number,
    reason: KnownFault,
    retryMs: number,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE "ingest"."workspace_document" SET "state" = 'searchable', "reason" = $3, "version" = "version" + 1, "lease_until" = NULL, "retry_at" = now() + $4 * interval '1 millisecond'
      WHERE "id" = $1 AND "version" = $2 AND "state" IN ('searchable', 'embedding')`,
      [id, version, JSON.stringify(reason), retryMs],
    );
  }

  async fail(
    _scope: Scope,
    manager: EntityManager,
    id: number,
    version: number,
    reason: KnownFault,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."workspace_document" SET "state" = 'failed', "reason" = $3, "lease_until" = NULL, "last_updated_at" = now() WHERE "id" = $1 AND "version" = $2 AND "state" IN ('queued', 'indexing') RETURNING 1`,
      [id, version, JSON.stringify(reason)],
    );
    return rows[0].length === 1;
  }
}
