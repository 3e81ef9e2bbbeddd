import type { KnownFault, Scope, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { Held } from "./indexing.repository.ts";

/** A workspace document to index (`queued`) or to embed (`searchable`). */
interface ReadyRow {
  id: number;
  version: number;
  workspaceId: number;
  state: "queued" | "searchable";
}

const waits = `state IN ('queued', 'searchable')
    AND retry_at IS NOT NULL
    AND reason LIKE '{"code":"document.waits-for-store"%'`;

/** Workspace documents that wait for an embedder or a vector store. */
@Injectable()
export class PostponementRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the document to searchable; embedding is retried after `retryMs` under a new version.
   * False if this run no longer holds the row.
   */
  async postponeEmbedding(
    _scope: Scope,
    { id, version, run }: Held,
    reason: KnownFault,
    retryMs: number,
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET state = 'searchable', reason = $4,
        version = version + 1, lease_until = NULL, retry_at = now() + $5 * interval '1 millisecond'
      WHERE id = $1 AND version = $2 AND run = $3 AND state = 'embedding'
      RETURNING 1`,
      [id, version, run, JSON.stringify(reason), retryMs],
    );
    return rows[0].length === 1;
  }

  /**
   * Returns the document to the queue; indexing is retried after `retryMs`. False if this run no
   * longer holds the row.
   */
  async postponeIndexing(
    _scope: Scope,
    { id, version, run }: Held,
    reason: KnownFault,
    retryMs: number,
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET state = 'queued', reason = $4, lease_until = NULL,
        retry_at = now() + $5 * interval '1 millisecond'
      WHERE id = $1 AND version = $2 AND run = $3 AND state = 'indexing'
      RETURNING 1`,
      [id, version, run, JSON.stringify(reason), retryMs],
    );
    return rows[0].length === 1;
  }

  async hasWaits(_scope: Scope): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM ingest.workspace_document WHERE ${waits} LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** The store that documents of a workspace wait for; null if none does. */
  async findStore({ workspace }: WorkspaceScope): Promise<string | null> {
    const [row] = await this.dataSource.query<{ store: string }[]>(
      `SELECT reason::jsonb->'params'->>'store' AS store FROM ingest.workspace_document
      WHERE workspace_id = $1 AND ${waits}
      LIMIT 1`,
      [workspace.id],
    );
    return row?.store ?? null;
  }

  /** Ends the waits of documents whose store couldn't be reached, and returns their rows. */
  async endWaits(_scope: Scope, manager: EntityManager): Promise<ReadyRow[]> {
    const rows = await manager.query<[ReadyRow[], number]>(
      `UPDATE ingest.workspace_document SET retry_at = NULL WHERE id IN (SELECT id FROM ingest.workspace_document
        WHERE ${waits} ORDER BY id LIMIT 5000 FOR UPDATE SKIP LOCKED)
      RETURNING id, version, workspace_id AS "workspaceId", state`,
    );
    return rows[0];
  }
}
