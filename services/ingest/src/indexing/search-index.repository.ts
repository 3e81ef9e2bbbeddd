import type { Scope } from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import type { IndexSettings, SearchIndex, Target } from "./search-index.ts";

/** Advisory lock: exclusive while roles change, shared while a document is published. */
export const roleLock = 7305;
/** In place of a version: rows may have been written, but not all. */
const begun = -1;
const settingsShape = z.object({
  chosen: z.record(z.string(), z.string()),
  store: z.record(z.string(), z.string()),
});

interface IndexRow extends Omit<SearchIndex, "settings" | "chunksBuilt" | "busyMs"> {
  settings: string;
  chunksBuilt: string;
  busyMs: string;
}
export interface BuildCounts {
  documentsDone: number;
  documentsTotal: number;
  chunksDone: number;
  chunksTotal: number;
}
/** A document of a workspace that an index does not hold as it is now. */
export interface MissingDocument {
  id: number;
  workspaceId: number;
  documentId: string;
  indexVersion: number;
}

const columns = `"id", "role", "engine", "model", "embedder", "table_name" AS "table", "dimensions", "vector_database" AS "vectorDatabase", "vector_place" AS "vectorPlace", "text_place" AS "textPlace", "settings", "identity",
  "state", "message", "version", "chunks_built" AS "chunksBuilt", "busy_ms" AS "busyMs", "started_at" AS "startedAt", "since"`;
const missing = `FROM "ingest"."workspace_document" w LEFT JOIN "ingest"."search_index_entry" e ON e."index_id" = $1 AND e."workspace_document_id" = w."id"
  WHERE w."index_version" IS NOT NULL AND e."index_version" IS DISTINCT FROM w."index_version"`;

/**
 * Indexes belong to the instance; only its own work and its admins reach them, which their
 * operations say.
 */
@Injectable()
export class SearchIndexRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly box: SecretBox,
  ) {}

  async list(
    _scope: Scope,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<SearchIndex[]> {
    return (
      await manager.query<IndexRow[]>(
        `SELECT ${columns} FROM "ingest"."search_index" ORDER BY "since", "id"`,
      )
    ).map((row) => ({
      ...row,
      settings: this.open(row.settings),
      chunksBuilt: Number(row.chunksBuilt),
      busyMs: Number(row.busyMs),
    }));
  }

  /** Until the transaction ends nobody publishes and no role changes. */
  async lock(_scope: Scope, manager: EntityManager): Promise<void> {
    await manager.query(`SET LOCAL statement_timeout = '300s'`);
    await manager.query(`SELECT pg_advisory_xact_lock($1)`, [roleLock]);
  }

  async create(
    _scope: Scope,
    manager: EntityManager,
    role: "active" | "building",
    target: Target,
  ): Promise<void> {
    const taken = new Set(
      (
        await manager.query<{ name: string }[]>(
          `SELECT "table_name" AS "name" FROM "ingest"."search_index" WHERE "table_name" IS NOT NULL`,
        )
      ).map(({ name }) => name),
    );
    // A server may be shared with other instances, whose workspaces have the same numbers.
    let table =
      target.embedder === null || target.vectorDatabase === "lancedb"
        ? target.embedder
        : `${target.embedder}#${randomUUID().slice(0, 8)}`;
    // Rows of an index that is being freed must never meet those of a new one.
    for (let n = 2; table !== null && taken.has(table); n++) table = `${target.embedder}#${n}`;
    await manager.query(
      `INSERT INTO "ingest"."search_index" ("id", "role", "engine", "model", "embedder", "table_name", "dimensions", "vector_database", "vector_place", "text_place", "settings")
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        randomUUID(),
        role,
        target.engine,
        target.model,
        target.embedder,
        table,
        target.dimensions,
        target.vectorDatabase,
        target.vectorPlace,
        target.textPlace,
        this.box.seal(JSON.stringify(target.settings)),
      ],
    );
  }

  async saveSettings(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    settings: IndexSettings,
  ): Promise<void> {
    await manager.query(`UPDATE "ingest"."search_index" SET "settings" = $2 WHERE "id" = $1`, [
      id,
      this.box.seal(JSON.stringify(settings)),
    ]);
  }

  async setRole(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    role: SearchIndex["role"],
  ): Promise<void> {
    await manager.query(
      `UPDATE "ingest"."search_index" SET "role" = $2, "since" = now(), "version" = "version" + 1, "state" = 'running', "message" = NULL, "retry_at" = NULL,
      "lease_until" = CASE WHEN $2 = 'dropped' THEN "lease_until" END, "started_at" = CASE WHEN $2 = 'building' THEN now() ELSE "started_at" END, "chunks_built" = CASE WHEN $2 = 'building' THEN 0 ELSE "chunks_built" END, "busy_ms" = CASE WHEN $2 = 'building' THEN 0 ELSE "busy_ms" END WHERE "id" = $1`,
      [id, role],
    );
  }

  async saveDimensions(_scope: Scope, id: string, dimensions: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE "ingest"."search_index" SET "dimensions" = $2 WHERE "id" = $1 AND "dimensions" IS DISTINCT FROM $2`,
      [id, dimensions],
    );
  }

  async saveIdentity(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    identity: string,
  ): Promise<void> {
    await manager.query(`UPDATE "ingest"."search_index" SET "identity" = $2 WHERE "id" = $1`, [
      id,
      identity,
    ]);
  }

  async delete(_scope: Scope, id: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM "ingest"."search_index" WHERE "id" = $1 AND "role" = 'dropped'`,
      [id],
    );
  }

  /** False for settings older than those that were followed before. */
  async noteSettings(_scope: Scope, manager: EntityManager, version: number): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."index_home" SET "settings_version" = $1 WHERE "settings_version" <= $1 RETURNING 1`,
      [version],
    );
    return rows[0].length > 0;
  }

  /** Takes a build for one job, or null when another one is at it, it was given up, or it waits. */
  async claim(_scope: Scope, id: string, version: number, leaseMs: number): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE "ingest"."search_index" SET "lease_until" = now() + $3 * interval '1 millisecond', "state" = 'running', "message" = NULL, "retry_at" = NULL
      WHERE "id" = $1 AND "version" = $2 AND "role" = 'building' RETURNING 1`,
      [id, version, leaseMs],
    );
    return rows[0].length > 0;
  }

  /** Notes work done and renews the lease; false when the build is no longer this job's. */
  async noteBuilt(
    _scope: Scope,
    id: string,
    version: number,
    o: { chunks: number; ms: number; leaseMs: number },
  ): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE "ingest"."search_index" SET "chunks_built" = "chunks_built" + $3, "busy_ms" = "busy_ms" + $4, "lease_until" = now() + $5 * interval '1 millisecond'
      WHERE "id" = $1 AND "version" = $2 AND "role" = 'building' RETURNING 1`,
      [id, version, o.chunks, Math.round(o.ms), o.leaseMs],
    );
    return rows[0].length > 0;
  }

  /**
   * The job's end; the next one has the next version. `retryMs` null: not before somebody does
   * something.
   */
  async rest(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    version: number,
    o: { state: SearchIndex["state"]; message: string | null; retryMs: number | null },
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE "ingest"."search_index" SET "version" = "version" + 1, "lease_until" = NULL, "state" = $3, "message" = $4, "retry_at" = now() + $5 * interval '1 millisecond'
      WHERE "id" = $1 AND "version" = $2 RETURNING 1`,
      [id, version, o.state, o.message, o.retryMs],
    );
    return rows[0].length > 0;
  }

  /** The job of a build that was given up has ended: its place may be freed. */
  async release(_scope: Scope, id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE "ingest"."search_index" SET "lease_until" = NULL WHERE "id" = $1 AND "role" = 'dropped'`,
      [id],
    );
  }

  /** What failed or waits is tried again now. */
  async wake(_scope: Scope, manager: EntityManager, id: string): Promise<void> {
    await manager.query(
      `UPDATE "ingest"."search_index" SET "version" = "version" + 1, "state" = 'running', "message" = NULL, "retry_at" = NULL WHERE "id" = $1 AND "state" <> 'running'`,
      [id],
    );
  }

  /** A build that nobody works on and that may go on. */
  async findDue(_scope: Scope): Promise<{ id: string; version: number } | null> {
    const [row] = await this.dataSource.query<
      { id: string; version: number }[]
    >(`SELECT "id", "version" FROM "ingest"."search_index" WHERE "role" = 'building'
      AND ("lease_until" IS NULL OR "lease_until" < now()) AND ("state" = 'running' OR ("state" = 'waiting' AND "retry_at" < now()))`);
    return row ?? null;
  }

  /** May be freed: nobody writes to it any more. */
  async listFree(scope: Scope): Promise<SearchIndex[]> {
    const free = new Set(
      (
        await this.dataSource.query<{ id: string }[]>(
          `SELECT "id" FROM "ingest"."search_index" WHERE "role" = 'dropped' AND ("lease_until" IS NULL OR "lease_until" < now())`,
        )
      ).map(({ id }) => id),
    );
    return (await this.list(scope)).filter(({ id }) => free.has(id));
  }

  async count(_scope: Scope, id: string): Promise<BuildCounts> {
    const [row] = await this.dataSource.query<BuildCounts[]>(
      `SELECT count(*)::int AS "documentsTotal", coalesce(sum(w."chunk_count"), 0)::int AS "chunksTotal",
        count(*) FILTER (WHERE e."index_version" = w."index_version")::int AS "documentsDone", coalesce(sum(w."chunk_count") FILTER (WHERE e."index_version" = w."index_version"), 0)::int AS "chunksDone"
      FROM "ingest"."workspace_document" w LEFT JOIN "ingest"."search_index_entry" e ON e."index_id" = $1 AND e."workspace_document_id" = w."id" WHERE w."index_version" IS NOT NULL`,
      [id],
    );
    return row!;
  }

  /** Chunks whose vectors answer now. */
  async countVectors(_scope: Scope): Promise<number> {
    const [row] = await this.dataSource.query<{ n: number }[]>(
      `SELECT coalesce(sum("chunk_count"), 0)::int AS "n" FROM "ingest"."workspace_document" WHERE "index_version" IS NOT NULL AND "embedded_at" IS NOT NULL`,
    );
    return row!.n;
  }

  /** What the index misses, by id. */
  listMissing(
    _scope: Scope,
    id: string,
    after: number,
    limit: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<MissingDocument[]> {
    return manager.query(
      `SELECT w."id", w."workspace_id" AS "workspaceId", w."document_id" AS "documentId", w."index_version" AS "indexVersion" ${missing} AND w."id" > $2 ORDER BY w."id" LIMIT $3`,
      [id, after, limit],
    );
  }

  /**
   * How many documents would be found worse if this index answered now: those with vectors in the
   * one that answers and, where words
   * are looked for elsewhere from then on, all that can be found.
   */
  async countBlocking(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    textMoves: boolean,
  ): Promise<number> {
    const [row] = await manager.query<{ n: number }[]>(
      `SELECT count(*)::int AS "n" ${missing} AND ($2 OR w."embedded_at" IS NOT NULL)`,
      [id, textMoves],
    );
    return row!.n;
  }

  /**
   * Notes that writing begins; true when nothing of the document was ever written to this index.
   */
  async begin(_scope: Scope, id: string, workspaceDocumentId: number): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `INSERT INTO "ingest"."search_index_entry" ("index_id", "workspace_document_id", "index_version")
      SELECT $1, "id", $3 FROM "ingest"."workspace_document" WHERE "id" = $2 FOR KEY SHARE ON CONFLICT DO NOTHING RETURNING 1`,
      [id, workspaceDocumentId, begun],
    );
    return rows.length > 0;
  }

  /** Notes that the index holds this version; false when the document is another by now. */
  async addEntry(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    { id: workspaceDocumentId, indexVersion }: MissingDocument,
  ): Promise<boolean> {
    const rows = await manager.query<[unknown[], number] | unknown[]>(
      `INSERT INTO "ingest"."search_index_entry" ("index_id", "workspace_document_id", "index_version")
      SELECT $1, "id", "index_version" FROM "ingest"."workspace_document" WHERE "id" = $2 AND "index_version" = $3 FOR KEY SHARE
      ON CONFLICT ("index_id", "workspace_document_id") DO UPDATE SET "index_version" = excluded."index_version" RETURNING 1`,
      [id, workspaceDocumentId, indexVersion],
    );
    return rows.length > 0;
  }

  async clearEntries(_scope: Scope, manager: EntityManager, id: string): Promise<void> {
    await manager.query(`DELETE FROM "ingest"."search_index_entry" WHERE "index_id" = $1`, [id]);
  }

  /**
   * The documents' side of a change of roles: what the old one holds is noted, and what the new one
   * holds is embedded from now on;
   * the rest is due again. Runs of the old one that are under way find another version and publish
   * nothing.
   */
  async turnDocuments(
    _scope: Scope,
    manager: EntityManager,
    from: SearchIndex,
    to: SearchIndex,
  ): Promise<void> {
    await manager.query(`DELETE FROM "ingest"."search_index_entry" WHERE "index_id" = $1`, [
      from.id,
    ]);
    await manager.query(
      `INSERT INTO "ingest"."search_index_entry" ("index_id", "workspace_document_id", "index_version")
      SELECT $1, "id", CASE WHEN "embedded_at" IS NOT NULL THEN "index_version" ELSE $2 END FROM "ingest"."workspace_document"
      WHERE "index_version" IS NOT NULL AND ("embedded_at" IS NOT NULL OR "state" = 'embedding' OR ("state" = 'searchable' AND "reason" IS NOT NULL))`,
      [from.id, begun],
    );
    await manager.query(
      `UPDATE "ingest"."workspace_document" w SET "embedded_model" = $2, "embedded_at" = coalesce(w."embedded_at", now()), "retry_at" = NULL,
        "state" = CASE WHEN w."state" IN ('searchable', 'embedding') THEN 'embedded' ELSE w."state" END, "reason" = CASE WHEN w."state" IN ('searchable', 'embedding') THEN NULL ELSE w."reason" END,
        "lease_until" = CASE WHEN w."state" = 'embedding' THEN NULL ELSE w."lease_until" END, "chunks_done" = CASE WHEN w."state" = 'embedding' THEN w."chunk_count" ELSE w."chunks_done" END
      FROM "ingest"."search_index_entry" e WHERE $2::text IS NOT NULL AND e."index_id" = $1 AND e."workspace_document_id" = w."id" AND e."index_version" = w."index_version"`,
      [to.id, to.table],
    );
    await manager.query(
      `UPDATE "ingest"."workspace_document" w SET "embedded_model" = NULL, "embedded_at" = NULL, "retry_at" = NULL,
        "state" = CASE WHEN w."state" IN ('embedding', 'embedded') THEN 'searchable' ELSE w."state" END, "version" = CASE WHEN w."state" IN ('searchable', 'embedding', 'embedded') THEN w."version" + 1 ELSE w."version" END,
        "lease_until" = CASE WHEN w."state" = 'embedding' THEN NULL ELSE w."lease_until" END, "reason" = CASE WHEN w."state" IN ('queued', 'indexing', 'failed') THEN w."reason"
          WHEN EXISTS (SELECT 1 FROM "ingest"."search_index_entry" e WHERE e."index_id" = $2 AND e."workspace_document_id" = w."id") THEN 'Waits for the embedder.' END
      WHERE w."index_version" IS NOT NULL AND (w."embedded_at" IS NOT NULL OR w."state" IN ('searchable', 'embedding')) AND w."embedded_model" IS DISTINCT FROM $1`,
      [to.table, to.id],
    );
    await manager.query(`DELETE FROM "ingest"."search_index_entry" WHERE "index_id" = $1`, [to.id]);
  }

  private open(sealed: string): IndexSettings | null {
    try {
      return settingsShape.parse(JSON.parse(this.box.open(sealed)));
    } catch (fault) {
      // Sealed under another instance secret: the settings of now are taken where they mean the
      // same index.
      if (fault instanceof SecretUnreadableError) return null;
      throw fault;
    }
  }
}
