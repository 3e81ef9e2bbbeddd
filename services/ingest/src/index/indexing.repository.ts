import type { Scope, KnownFault } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { Document } from "../document/document.entity.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { Batcher } from "../work-pool/batcher.ts";

/** Rows checked in one statement. */
const maxPerStatement = 64;

export type WorkState = "indexing" | "embedding";
/** A document is embedded by a separate job, or by the job that publishes it. */
export type EmbeddingLease = "embedding" | "publishing";

/**
 * Renewed with each progress report: longer than one window, or one call to a slow embedder. The
 * job that publishes gives up embedding after a few seconds, and its lease ends before the lock of
 * a killed replica's job (30 s), so the job's next run can queue what it left.
 */
export const leaseMs: Record<"indexing" | EmbeddingLease, number> = {
  indexing: 60_000,
  embedding: 180_000,
  publishing: 20_000,
};

/** Identifies the run that holds a row. */
export type Held = Pick<WorkspaceDocument, "id" | "version" | "run" | "state">;

interface Claim {
  w: WorkspaceDocument;
  /** True if no earlier run has begun this step of this version. */
  first: boolean;
}

/** The steps of a workspace document from queued to embedded; each holds a lease on the row. */
@Injectable()
export class IndexingRepository {
  private readonly checks = new Batcher<Pick<WorkspaceDocument, "id" | "version" | "run">, boolean>(
    (group) => this.holdsAll(group),
    { maxItems: maxPerStatement },
  );

  constructor(private readonly dataSource: DataSource) {}

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
      `WITH old AS (
        SELECT id, state, reason
        FROM ingest.workspace_document
        WHERE id = $1 AND version = $2 AND state = ANY($5)
        FOR UPDATE
      )
      UPDATE ingest.workspace_document w SET state = $3,
        lease_until = now() + $4 * interval '1 millisecond', retry_at = NULL, chunks_done = 0,
        run = w.run + 1
      FROM old
      WHERE w.id = old.id
      RETURNING old.state AS before, old.reason AS told,
        ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
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
  holds(_scope: Scope, row: Pick<WorkspaceDocument, "id" | "version" | "run">): Promise<boolean> {
    return this.checks.run(row);
  }

  /**
   * Records progress and renews the lease; null if this run no longer holds the row. Returns whom the
   * document is for by now.
   */
  async noteProgress(
    _scope: Scope,
    { id, version, run, state }: Held,
    lease: keyof typeof leaseMs,
    done: number,
    total: number,
  ): Promise<Pick<Document, "audienceId"> | null> {
    const [rows] = await this.dataSource.query<[Pick<Document, "audienceId">[], number]>(
      `UPDATE ingest.workspace_document w SET chunks_done = $5, chunk_count = $6,
        lease_until = now() + $7 * interval '1 millisecond'
      FROM ingest.document d
      WHERE w.id = $1 AND w.version = $2 AND w.run = $3 AND w.state = $4 AND d.id = w.document_id
      RETURNING d.audience_id AS "audienceId"`,
      [id, version, run, state, done, total, leaseMs[lease]],
    );
    return rows[0] ?? null;
  }

  /** Renews the lease; false if this run no longer holds the row. */
  async renew(_scope: Scope, { id, version, run }: Held, lease: EmbeddingLease): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET lease_until = now() + $4 * interval '1 millisecond'
      WHERE id = $1 AND version = $2 AND run = $3 AND state = 'embedding'
      RETURNING 1`,
      [id, version, run, leaseMs[lease]],
    );
    return rows[0].length === 1;
  }

  /** Lists a document's rows that still need vectors and that no run holds. */
  listAbandoned(
    _scope: Scope,
    documentId: string,
  ): Promise<Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[]> {
    return this.dataSource.query(
      `SELECT id, version, workspace_id AS "workspaceId"
      FROM ingest.workspace_document
      WHERE document_id = $1
        AND (
          (state = 'searchable' AND retry_at IS NULL)
          OR (state = 'embedding' AND lease_until < now())
        )
      ORDER BY id`,
      [documentId],
    );
  }

  /** Rows whose run has lost its lease before it had embedded all chunks. */
  listLapsed(_scope: Scope): Promise<Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[]> {
    return this.dataSource.query(
      `SELECT id, version, workspace_id AS "workspaceId" FROM ingest.workspace_document
      WHERE state <> 'embedded' AND state = 'embedding' AND lease_until < now() ORDER BY id LIMIT 5000`,
    );
  }

  /** Gives back a row that this run holds and has written no vectors of. */
  async release(_scope: Scope, { id, version, run }: Held): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.workspace_document SET state = 'searchable', chunks_done = chunk_count,
        lease_until = NULL
      WHERE id = $1 AND version = $2 AND run = $3 AND state = 'embedding'`,
      [id, version, run],
    );
  }

  /** False if this run no longer holds the row. */
  async fail(_scope: Scope, { id, version, run }: Held, reason: KnownFault): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET state = 'failed', reason = $4, lease_until = NULL,
        last_updated_at = now()
      WHERE id = $1 AND version = $2 AND run = $3 AND state IN ('queued', 'indexing')
      RETURNING 1`,
      [id, version, run, JSON.stringify(reason)],
    );
    return rows[0].length === 1;
  }

  private async holdsAll(
    group: Pick<WorkspaceDocument, "id" | "version" | "run">[],
  ): Promise<boolean[]> {
    const rows = await preparedQuery<{ n: number }>(
      this.dataSource,
      "check workspace document runs",
      `SELECT h.n::int AS n FROM unnest($1::int[], $2::int[], $3::int[]) WITH ORDINALITY AS h(id, version, run, n)
      JOIN ingest.workspace_document w ON w.id = h.id AND w.version = h.version AND w.run = h.run`,
      [group.map(({ id }) => id), group.map(({ version }) => version), group.map(({ run }) => run)],
    );
    const held = new Set(rows.map(({ n }) => n));
    return group.map((_, n) => held.has(n + 1));
  }
}
