import type { Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { leaseMs } from "./indexing.repository.ts";
import { roleLock } from "./search-index.repository.ts";

/** A version of a workspace document whose terms are written, and where. */
export interface Publication {
  w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">;
  chunks: PreparedChunk[];
  textPlace: string;
  /** `embedding`: the caller holds the row and embeds it after the commit. */
  state: "searchable" | "embedding";
}

/** Makes finished work on workspace documents visible to searches. */
@Injectable()
export class PublicationRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chunks: ChunkRepository,
    private readonly garbage: IndexGarbage,
  ) {}

  /**
   * First publication: from the commit on, exactly these chunks are live. Returns the rows that were
   * published; the others are no longer due, or the active full-text index is no longer in their
   * `textPlace`.
   */
  async publishSearchable(
    scope: Scope,
    manager: EntityManager,
    publications: Publication[],
  ): Promise<WorkspaceDocument[]> {
    // Prevents changes of index roles until this transaction ends.
    await manager.query(`SELECT pg_advisory_xact_lock_shared(${roleLock})`);
    const rows = await preparedQuery<Record<string, unknown> & { id: number; old: number | null }>(
      manager.queryRunner!,
      "publish searchable",
      `WITH due AS (
        SELECT *
        FROM unnest(
          $1::int[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[]
        ) AS due(id, workspace_id, version, chunks, text_place, state)
      ),
      old AS (
        SELECT w.id, w.index_version
        FROM ingest.workspace_document w
        JOIN due ON due.id = w.id AND due.workspace_id = w.workspace_id
        ORDER BY w.id FOR UPDATE OF w
      )
      UPDATE ingest.workspace_document w SET state = due.state, reason = NULL,
        index_version = w.version, chunk_count = due.chunks, searchable_at = now(),
        embedded_at = NULL, embedded_model = NULL, retry_at = NULL, last_updated_at = now(),
        chunks_done = CASE WHEN due.state = 'embedding' THEN 0 ELSE due.chunks END,
        run = w.run + CASE WHEN due.state = 'embedding' THEN 1 ELSE 0 END,
        lease_until = CASE
          WHEN due.state = 'embedding' THEN now() + $7 * interval '1 millisecond'
        END
      FROM old
      JOIN due ON due.id = old.id
      WHERE w.id = old.id
        AND w.version = due.version
        AND w.state IN ('queued', 'indexing')
        AND EXISTS (
          SELECT 1 FROM ingest.search_index WHERE role = 'active' AND text_place = due.text_place
        )
      RETURNING old.index_version AS old,
        ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
      [
        publications.map(({ w }) => w.id),
        publications.map(({ w }) => w.workspaceId),
        publications.map(({ w }) => w.version),
        publications.map(({ chunks }) => chunks.length),
        publications.map(({ textPlace }) => textPlace),
        publications.map(({ state }) => state),
        leaseMs.publishing,
      ],
    );
    const published = new Map(
      rows.map((row) => [row.id, mapEntity(this.dataSource, WorkspaceDocument, row)]),
    );
    for (const { id, old } of rows) {
      if (old === null) continue;
      const { workspaceId, version } = published.get(id)!;
      const workspace = serviceScope(workspaceId);
      await this.chunks.deleteOf(workspace, manager, id);
      if (old !== version) await this.garbage.add(workspace, manager, buildPublicationId(id, old));
    }
    await this.chunks.create(
      scope,
      manager,
      publications.filter(({ w }) => published.has(w.id)),
    );
    return [...published.values()];
  }

  /**
   * Ends the publication of documents in all workspaces except `kept`: their text has changed, and
   * the passages that were published are places in the old one. Returns the workspaces.
   */
  async withdraw(
    _scope: Scope,
    manager: EntityManager,
    documentIds: readonly string[],
    kept: readonly number[],
  ): Promise<number[]> {
    const [rows] = await manager.query<
      [{ id: number; workspace_id: number; old: number }[], number]
    >(
      `WITH old AS (
        SELECT id, index_version
        FROM ingest.workspace_document
        WHERE document_id = ANY($1::uuid[]) AND index_version IS NOT NULL AND id <> ALL($2::int[])
        ORDER BY id FOR UPDATE
      )
      UPDATE ingest.workspace_document w SET index_version = NULL, searchable_at = NULL,
        embedded_at = NULL, embedded_model = NULL, chunk_count = 0, chunks_done = 0
      FROM old
      WHERE w.id = old.id
      RETURNING w.id, w.workspace_id, old.index_version AS old`,
      [documentIds, kept],
    );
    for (const { id, workspace_id: workspaceId, old } of rows) {
      const workspace = serviceScope(workspaceId);
      await this.chunks.deleteOf(workspace, manager, id);
      await this.garbage.add(workspace, manager, buildPublicationId(id, old));
    }
    return rows.map((row) => row.workspace_id);
  }

  /**
   * Second publication: the table `model` of the active index holds all vectors of the live chunks.
   * Returns the ids that were published.
   */
  async publishEmbedded(
    _scope: Scope,
    manager: EntityManager,
    rows: { id: number; version: number; indexVersion: number; model: string }[],
  ): Promise<Set<number>> {
    const published = await preparedQuery<{ id: number }>(
      manager.queryRunner!,
      "publish embedded",
      `WITH due AS (
        SELECT *
        FROM unnest(
          $1::int[], $2::int[], $3::int[], $4::text[]
        ) AS due(id, version, index_version, model)
      ),
      held AS (
        SELECT w.id FROM ingest.workspace_document w
        JOIN due ON due.id = w.id
        ORDER BY w.id FOR UPDATE OF w
      )
      UPDATE ingest.workspace_document w SET state = 'embedded', reason = NULL,
        embedded_model = due.model, embedded_at = now(), chunks_done = w.chunk_count,
        lease_until = NULL, retry_at = NULL, last_updated_at = now()
      FROM due
      JOIN held ON held.id = due.id
      WHERE w.id = due.id
        AND w.version = due.version
        AND w.index_version = due.index_version
        AND w.state IN ('searchable', 'embedding')
        AND EXISTS (
          SELECT 1 FROM ingest.search_index WHERE role = 'active' AND table_name = due.model
        )
      RETURNING w.id`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.version),
        rows.map((row) => row.indexVersion),
        rows.map((row) => row.model),
      ],
    );
    return new Set(published.map((row) => row.id));
  }
}
