import type { Scope, KnownFault } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { entityColumns, mapEntity } from "../database/entity-rows.ts";
import { Document } from "../document/document.entity.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Batcher } from "../work-pool/batcher.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { roleLock } from "./search-index.repository.ts";

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
const leaseMs: Record<"indexing" | EmbeddingLease, number> = {
  indexing: 60_000,
  embedding: 180_000,
  publishing: 20_000,
};

/** A version of a workspace document whose terms are written, and where. */
export interface Publication {
  w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">;
  chunks: PreparedChunk[];
  textPlace: string;
  /** `embedding`: the caller holds the row and embeds it after the commit. */
  state: "searchable" | "embedding";
}

/** What identifies the run that holds a row. */
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
      `WITH old AS (SELECT id, state, reason FROM ingest.workspace_document WHERE id = $1 AND version = $2 AND state = ANY($5) FOR UPDATE)
      UPDATE ingest.workspace_document w SET state = $3, lease_until = now() + $4 * interval '1 millisecond', retry_at = NULL, chunks_done = 0, run = w.run + 1 FROM old WHERE w.id = old.id
      RETURNING old.state AS before, old.reason AS told, ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
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

  /** Records progress and renews the lease; false if this run no longer holds the row. */
  async noteProgress(
    _scope: Scope,
    { id, version, run, state }: Held,
    lease: keyof typeof leaseMs,
    done: number,
    total: number,
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET chunks_done = $5, chunk_count = $6, lease_until = now() + $7 * interval '1 millisecond' WHERE id = $1 AND version = $2 AND run = $3 AND state = $4 RETURNING 1`,
      [id, version, run, state, done, total, leaseMs[lease]],
    );
    return rows[0].length === 1;
  }

  /** Renews the lease; false if this run no longer holds the row. */
  async renew(_scope: Scope, { id, version, run }: Held, lease: EmbeddingLease): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE ingest.workspace_document SET lease_until = now() + $4 * interval '1 millisecond' WHERE id = $1 AND version = $2 AND run = $3 AND state = 'embedding' RETURNING 1`,
      [id, version, run, leaseMs[lease]],
    );
    return rows[0].length === 1;
  }

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
      `WITH due AS (SELECT * FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[]) AS due(id, workspace_id, version, chunks, text_place, state)),
        old AS (SELECT w.id, w.index_version FROM ingest.workspace_document w JOIN due ON due.id = w.id AND due.workspace_id = w.workspace_id ORDER BY w.id FOR UPDATE OF w)
      UPDATE ingest.workspace_document w SET state = due.state, reason = NULL, index_version = w.version, chunk_count = due.chunks, searchable_at = now(), embedded_at = NULL, embedded_model = NULL, retry_at = NULL, last_updated_at = now(),
        chunks_done = CASE WHEN due.state = 'embedding' THEN 0 ELSE due.chunks END, run = w.run + CASE WHEN due.state = 'embedding' THEN 1 ELSE 0 END, lease_until = CASE WHEN due.state = 'embedding' THEN now() + $7 * interval '1 millisecond' END
      FROM old JOIN due ON due.id = old.id WHERE w.id = old.id AND w.version = due.version AND w.state IN ('queued', 'indexing')
        AND EXISTS (SELECT 1 FROM ingest.search_index WHERE role = 'active' AND text_place = due.text_place) RETURNING old.index_version AS old, ${entityColumns(this.dataSource, WorkspaceDocument, "w")}`,
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
      `WITH due AS (SELECT * FROM unnest($1::int[], $2::int[], $3::int[], $4::text[]) AS due(id, version, index_version, model)),
        held AS (SELECT w.id FROM ingest.workspace_document w JOIN due ON due.id = w.id ORDER BY w.id FOR UPDATE OF w)
      UPDATE ingest.workspace_document w SET state = 'embedded', reason = NULL, embedded_model = due.model, embedded_at = now(), chunks_done = w.chunk_count, lease_until = NULL, retry_at = NULL, last_updated_at = now()
      FROM due JOIN held ON held.id = due.id WHERE w.id = due.id AND w.version = due.version AND w.index_version = due.index_version AND w.state IN ('searchable', 'embedding')
        AND EXISTS (SELECT 1 FROM ingest.search_index WHERE role = 'active' AND table_name = due.model) RETURNING w.id`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.version),
        rows.map((row) => row.indexVersion),
        rows.map((row) => row.model),
      ],
    );
    return new Set(published.map((row) => row.id));
  }

  /** Those of a document's rows that still need vectors and that no run holds. */
  listAbandoned(
    _scope: Scope,
    documentId: string,
  ): Promise<Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[]> {
    return this.dataSource.query(
      `SELECT id, version, workspace_id AS "workspaceId" FROM ingest.workspace_document
      WHERE document_id = $1 AND ((state = 'searchable' AND retry_at IS NULL) OR (state = 'embedding' AND lease_until < now())) ORDER BY id`,
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
      `UPDATE ingest.workspace_document SET state = 'searchable', chunks_done = chunk_count, lease_until = NULL WHERE id = $1 AND version = $2 AND run = $3 AND state = 'embedding'`,
      [id, version, run],
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
      `UPDATE ingest.workspace_document SET state = 'failed', reason = $3, lease_until = NULL, last_updated_at = now() WHERE id = $1 AND version = $2 AND state IN ('queued', 'indexing') RETURNING 1`,
      [id, version, JSON.stringify(reason)],
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
