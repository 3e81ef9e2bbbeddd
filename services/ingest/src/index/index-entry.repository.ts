import type { getIndexState, KnownFault, Out, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { reasonColumn } from "../document/reason-column.ts";
import type { SearchIndex } from "./search-index.ts";

/** Stored instead of a version while some but not all rows may have been written. */
const begun = -1;
export interface BuildCounts {
  documentsDone: number;
  documentsTotal: number;
  chunksDone: number;
  chunksTotal: number;
}
/** A workspace document whose current version is missing from an index. */
export interface MissingDocument {
  id: number;
  workspaceId: number;
  documentId: string;
  indexVersion: number;
}

const missing = `FROM ingest.workspace_document w
  LEFT JOIN ingest.search_index_entry e ON e.index_id = $1 AND e.workspace_document_id = w.id
  WHERE w.index_version IS NOT NULL AND e.index_version IS DISTINCT FROM w.index_version`;

/** Why a document that an undone index lacks is not embedded yet. */
const waiting: KnownFault = { code: "document.waits-for-embedder" };

/** Which workspace documents an index holds, and in which version. */
@Injectable()
export class IndexEntryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Workspace documents missing from the index, by id. */
  listMissing(
    _scope: Scope,
    id: string,
    after: number,
    limit: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<MissingDocument[]> {
    return manager.query(
      `SELECT w.id, w.workspace_id AS "workspaceId", w.document_id AS "documentId",
        w.index_version AS "indexVersion"
      ${missing} AND w.id > $2
      ORDER BY w.id LIMIT $3`,
      [id, after, limit],
    );
  }

  /**
   * Counts the documents that would be harder to find if this index became active now: those with
   * vectors in the active index and, if the full-text index moves, all searchable ones.
   */
  async countBlocking(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    textMoves: boolean,
  ): Promise<number> {
    const [row] = await manager.query<{ n: number }[]>(
      `SELECT count(*)::int AS n ${missing} AND ($2 OR w.embedded_at IS NOT NULL)`,
      [id, textMoves],
    );
    return row!.n;
  }

  /**
   * Records that writing begins; true if no part of the document was ever written to this index.
   */
  async begin(_scope: Scope, id: string, workspaceDocumentId: number): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `INSERT INTO ingest.search_index_entry (index_id, workspace_document_id, index_version)
      SELECT $1, id, $3 FROM ingest.workspace_document WHERE id = $2 FOR KEY SHARE ON CONFLICT DO NOTHING RETURNING 1`,
      [id, workspaceDocumentId, begun],
    );
    return rows.length > 0;
  }

  /**
   * Records that the index holds this version; false if the document has changed in the meantime.
   */
  async addEntry(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    { id: workspaceDocumentId, indexVersion }: MissingDocument,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number] | unknown[]>(
      `INSERT INTO ingest.search_index_entry (index_id, workspace_document_id, index_version)
      SELECT $1, id, index_version FROM ingest.workspace_document WHERE id = $2 AND index_version = $3 FOR KEY SHARE
      ON CONFLICT (index_id, workspace_document_id) DO UPDATE SET index_version = excluded.index_version RETURNING 1`,
      [id, workspaceDocumentId, indexVersion],
    );
    return rows.length > 0;
  }

  async clearEntries(_scope: Scope, manager: EntityManager, id: string): Promise<void> {
    await manager.query(`DELETE FROM ingest.search_index_entry WHERE index_id = $1`, [id]);
  }

  /**
   * Updates workspace documents for a change of roles: records what the old index holds, marks what
   * the new one holds as embedded, and queues the rest. Runs still working for the old index find a
   * newer version and publish nothing.
   */
  async reassignDocuments(
    _scope: Scope,
    manager: EntityManager,
    from: SearchIndex,
    to: SearchIndex,
  ): Promise<void> {
    await manager.query(`DELETE FROM ingest.search_index_entry WHERE index_id = $1`, [from.id]);
    await manager.query(
      `INSERT INTO ingest.search_index_entry (index_id, workspace_document_id, index_version)
      SELECT $1, id, CASE WHEN embedded_at IS NOT NULL THEN index_version ELSE $2 END
      FROM ingest.workspace_document
      WHERE index_version IS NOT NULL
        AND (
          embedded_at IS NOT NULL
          OR state = 'embedding'
          OR (state = 'searchable' AND reason IS NOT NULL)
        )`,
      [from.id, begun],
    );
    await manager.query(
      `UPDATE ingest.workspace_document w SET embedded_model = $2,
        embedded_at = coalesce(w.embedded_at, now()), retry_at = NULL,
        state = CASE WHEN w.state IN ('searchable', 'embedding') THEN 'embedded' ELSE w.state END,
        reason = CASE WHEN w.state IN ('searchable', 'embedding') THEN NULL ELSE w.reason END,
        lease_until = CASE WHEN w.state = 'embedding' THEN NULL ELSE w.lease_until END,
        chunks_done = CASE WHEN w.state = 'embedding' THEN w.chunk_count ELSE w.chunks_done END
      FROM ingest.search_index_entry e
      WHERE $2::text IS NOT NULL
        AND e.index_id = $1
        AND e.workspace_document_id = w.id
        AND e.index_version = w.index_version`,
      [to.id, to.table],
    );
    await manager.query(
      `UPDATE ingest.workspace_document w SET embedded_model = NULL, embedded_at = NULL,
        retry_at = NULL,
        state = CASE WHEN w.state IN ('embedding', 'embedded') THEN 'searchable' ELSE w.state END,
        version = CASE
          WHEN w.state IN ('searchable', 'embedding', 'embedded') THEN w.version + 1
          ELSE w.version
        END,
        lease_until = CASE WHEN w.state = 'embedding' THEN NULL ELSE w.lease_until END,
        reason = CASE
          WHEN w.state IN ('queued', 'indexing', 'failed') THEN w.reason
          WHEN EXISTS (
            SELECT 1 FROM ingest.search_index_entry e
            WHERE e.index_id = $2 AND e.workspace_document_id = w.id
          ) THEN $3
        END
      WHERE w.index_version IS NOT NULL
        AND (w.embedded_at IS NOT NULL OR w.state IN ('searchable', 'embedding'))
        AND w.embedded_model IS DISTINCT FROM $1`,
      [to.table, to.id, JSON.stringify(waiting)],
    );
    await manager.query(`DELETE FROM ingest.search_index_entry WHERE index_id = $1`, [to.id]);
  }

  async count(_scope: Scope, id: string): Promise<BuildCounts> {
    const [row] = await this.dataSource.query<BuildCounts[]>(
      `SELECT count(*)::int AS "documentsTotal",
        coalesce(sum(w.chunk_count), 0)::int AS "chunksTotal",
        count(*) FILTER (WHERE e.index_version = w.index_version)::int AS "documentsDone",
        coalesce(
          sum(w.chunk_count) FILTER (WHERE e.index_version = w.index_version), 0
        )::int AS "chunksDone"
      FROM ingest.workspace_document w
      LEFT JOIN ingest.search_index_entry e ON e.index_id = $1 AND e.workspace_document_id = w.id
      WHERE w.index_version IS NOT NULL`,
      [id],
    );
    return row!;
  }

  /** How far workspace documents are embedded for the active index (`getIndexState`). */
  async countEmbedded(_scope: Scope): Promise<Out<typeof getIndexState>["embedding"]> {
    const [row] = await this.dataSource.query<
      (Omit<Out<typeof getIndexState>["embedding"], "reason"> & { reason: string | null })[]
    >(
      `SELECT coalesce(sum(chunk_count), 0)::int AS "passagesTotal",
        count(*) FILTER (WHERE state = 'embedding')::int AS running,
        count(*) FILTER (WHERE state = 'searchable' AND reason IS NOT NULL)::int AS waiting,
        coalesce(
          sum(
            CASE
              WHEN embedded_at IS NOT NULL THEN chunk_count
              WHEN state = 'embedding' THEN chunks_done
              ELSE 0
            END
          ),
          0
        )::int AS "passagesDone",
        (
          array_agg(reason ORDER BY last_updated_at DESC) FILTER (
            WHERE state = 'searchable' AND reason IS NOT NULL
          )
        )[1] AS reason
      FROM ingest.workspace_document
      WHERE index_version IS NOT NULL`,
    );
    return { ...row!, reason: reasonColumn.from(row!.reason) };
  }

  async countVectors(_scope: Scope): Promise<number> {
    const [row] = await this.dataSource.query<{ n: number }[]>(
      `SELECT coalesce(sum(chunk_count), 0)::int AS n FROM ingest.workspace_document
      WHERE index_version IS NOT NULL AND embedded_at IS NOT NULL`,
    );
    return row!.n;
  }
}
