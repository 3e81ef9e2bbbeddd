import { randomUUID } from "node:crypto";
import type { Scope } from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { isSharedStore } from "@carrel/vector-store";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import type { IndexSettings, SearchIndex, Target } from "./search-index.ts";

/** Advisory lock: exclusive while roles change, shared while a document is published. */
export const roleLock = 7305;
const settingsShape = z.object({
  chosen: z.record(z.string(), z.string()),
  store: z.record(z.string(), z.string()),
});

interface IndexRow extends Omit<SearchIndex, "settings" | "chunksBuilt" | "busyMs"> {
  settings: string;
  chunksBuilt: string;
  busyMs: string;
}
const columns = `id, role, engine, model, embedder, table_name AS "table", dimensions,
  vector_database AS "vectorDatabase", vector_place AS "vectorPlace", text_place AS "textPlace",
  settings, identity, vectors_work AS "vectorsWork",
  vector_checks AS "vectorChecks", state, fault, message, version,
  chunks_built AS "chunksBuilt", busy_ms AS "busyMs", started_at AS "startedAt", since`;
/**
 * Indexes belong to the instance; only its internal work and its admins reach them, as their
 * operations declare.
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
        `SELECT ${columns} FROM ingest.search_index ORDER BY since, id`,
      )
    ).map((row) => ({
      ...row,
      settings: this.open(row.settings),
      chunksBuilt: Number(row.chunksBuilt),
      busyMs: Number(row.busyMs),
    }));
  }

  /** Blocks publishing and role changes until the transaction ends. */
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
          `SELECT table_name AS name FROM ingest.search_index WHERE table_name IS NOT NULL`,
        )
      ).map(({ name }) => name),
    );
    // Instances that share a server use the same workspace ids, so the table gets a unique name.
    let table =
      target.embedder === null || !isSharedStore(target.vectorDatabase)
        ? target.embedder
        : `${target.embedder}#${randomUUID().slice(0, 8)}`;
    // Rows of an index being freed must never mix with those of a new one.
    for (let n = 2; table !== null && taken.has(table); n++) table = `${target.embedder}#${n}`;
    await manager.query(
      `INSERT INTO ingest.search_index (
        id, role, engine, model, embedder, table_name, dimensions, vector_database, vector_place,
        text_place, settings
      )
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
    await manager.query(`UPDATE ingest.search_index SET settings = $2 WHERE id = $1`, [
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
      `UPDATE ingest.search_index SET role = $2, since = now(), version = version + 1,
        state = 'running', fault = NULL, message = NULL, retry_at = NULL,
        lease_until = CASE WHEN $2 = 'dropped' THEN lease_until END,
        started_at = CASE WHEN $2 = 'building' THEN now() ELSE started_at END,
        chunks_built = CASE WHEN $2 = 'building' THEN 0 ELSE chunks_built END,
        busy_ms = CASE WHEN $2 = 'building' THEN 0 ELSE busy_ms END
      WHERE id = $1`,
      [id, role],
    );
  }

  async saveDimensions(_scope: Scope, id: string, dimensions: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.search_index SET dimensions = $2 WHERE id = $1 AND dimensions IS DISTINCT FROM $2`,
      [id, dimensions],
    );
  }

  async saveVectorChecks(
    _scope: Scope,
    id: string,
    { vectorsWork, vectorChecks }: Pick<SearchIndex, "vectorsWork" | "vectorChecks">,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE ingest.search_index SET vectors_work = $2, vector_checks = $3 WHERE id = $1`,
      [id, vectorsWork, JSON.stringify(vectorChecks)],
    );
  }

  async saveIdentity(
    _scope: Scope,
    manager: EntityManager,
    id: string,
    identity: string,
  ): Promise<void> {
    await manager.query(`UPDATE ingest.search_index SET identity = $2 WHERE id = $1`, [
      id,
      identity,
    ]);
  }

  async delete(_scope: Scope, id: string): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM ingest.search_index WHERE id = $1 AND role = 'dropped'`,
      [id],
    );
  }

  /** False if newer settings have already been applied. */
  async noteSettings(_scope: Scope, manager: EntityManager, version: number): Promise<boolean> {
    const rows = await manager.query<[unknown[], number]>(
      `UPDATE ingest.index_home SET settings_version = $1 WHERE settings_version <= $1 RETURNING 1`,
      [version],
    );
    return rows[0].length > 0;
  }

  /** Dropped indexes that no job writes to any more. */
  async listFree(scope: Scope): Promise<SearchIndex[]> {
    const free = new Set(
      (
        await this.dataSource.query<{ id: string }[]>(
          `SELECT id FROM ingest.search_index WHERE role = 'dropped' AND (lease_until IS NULL OR lease_until < now())`,
        )
      ).map(({ id }) => id),
    );
    return (await this.list(scope)).filter(({ id }) => free.has(id));
  }

  private open(sealed: string): IndexSettings | null {
    try {
      return settingsShape.parse(JSON.parse(this.box.open(sealed)));
    } catch (fault) {
      // Sealed with another instance secret: the current settings are used instead if they ask for
      // the same index.
      if (fault instanceof SecretUnreadableError) return null;
      throw fault;
    }
  }
}
