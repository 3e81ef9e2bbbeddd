import { once } from "node:events";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { answerFinished, deliverWebhook, documentFinished } from "@carrel/contracts";
import {
  ensureServiceRole,
  noteUnfinishedRestore,
  readUnfinishedRestore,
  type UnfinishedRestore,
} from "@carrel/database";
import pg from "pg";
import { from, type CopyStreamQuery } from "pg-copy-streams";
import { DataSource, type QueryRunner } from "typeorm";
import { PlainError } from "../terminal.ts";
import { DamagedBackupError } from "./entry-rules.ts";
import { refuseForeignTables } from "./manifest-rules.ts";
import { qualified, type Manifest, type TableManifest } from "./manifest.ts";
import {
  createSchema,
  listTables,
  migrationsOf,
  prepareTables,
  runMigrations,
  type ForeignKey,
} from "./restore-schema.ts";
import { databases } from "./service-databases.ts";

/** A table that is being loaded. */
interface Loading {
  table: TableManifest;
  copy: CopyStreamQuery;
  lines: number;
  /** Bytes since the last line break. */
  lineBytes: number;
}
/** PostgreSQL's own limit of a row. */
const longestRow = 1024 ** 3;
/** Messages that lead to a webhook's request. */
const postedMessages = [answerFinished.name, documentFinished.name, deliverWebhook.name];

/** Migrations of the backup that this version of Carrel doesn't have. */
export function unknownMigrations(manifest: Manifest): string[] {
  return Object.entries(manifest.migrations).flatMap(([schema, names]) => {
    const database = databases.find((candidate) => candidate.schema === schema);
    const known = new Set(database ? migrationsOf(database).map(({ name }) => name) : []);
    return names.filter((name) => !known.has(name));
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "carrel restore" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const isDatabaseEmpty = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "SELECT 1 FROM pg_tables WHERE schemaname = ANY($1) LIMIT 1",
      [databases.map(({ schema }) => schema)],
    );
    return rowCount === 0;
  });

/** Processes that have the database open, which a restore must not change under them. */
const connectedServices = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'carrel %'
        AND application_name NOT IN ('carrel restore', 'carrel backup')`,
    );
    return rows.map(({ name }) => name.replace("carrel ", ""));
  });

export async function refuseRunning(url: string): Promise<void> {
  const services = await connectedServices(url);
  if (services.length > 0)
    throw new PlainError(
      `Carrel is still running: ${services.join(", ")} use the database.\nWhat to do: stop it, then run the same command again.`,
    );
}

/** A restore that was interrupted after its database; null if there is none. */
export const findUnfinishedRestore = (url: string): Promise<UnfinishedRestore | null> =>
  withClient(url, (client) => readUnfinishedRestore(client, databases[0]!.schema));

/** Allows the services to start. */
export const endRestore = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(
      databases.map(({ schema }) => noteUnfinishedRestore(schema, null)).join(";\n"),
    );
  });

/**
 * Replaces the services' schemas by a backup's in one transaction, so that an interrupted restore
 * changes nothing. Previous schemas are kept as `<schema>_<suffix>`.
 */
export class DatabaseRestore {
  private loading: Loading | null = null;
  private readonly loaded = new Map<string, number>();
  private fault: Error | null = null;

  private constructor(
    private readonly source: DataSource,
    private readonly runner: QueryRunner,
    private readonly client: pg.Client,
    private readonly manifest: Manifest,
    private readonly keys: ForeignKey[],
  ) {}

  static async begin(url: string, manifest: Manifest, suffix: string): Promise<DatabaseRestore> {
    // The next start sets a new role's password.
    for (const { schema } of databases) await ensureServiceRole(url, schema, null);
    const source = await new DataSource({
      type: "postgres",
      url,
      applicationName: "carrel restore",
      poolSize: 1,
    }).initialize();
    try {
      const runner = source.createQueryRunner();
      const client = (await runner.connect()) as pg.Client;
      await runner.startTransaction();
      await runner.query(
        "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
      );
      for (const database of databases) await createSchema(runner, database, manifest, suffix);
      await refuseForeignTables(runner, manifest);
      const keys = await prepareTables(runner);
      return new DatabaseRestore(source, runner, client, manifest, keys);
    } catch (error) {
      await source.destroy();
      throw error;
    }
  }

  /** One part of a table, in the archive's order. */
  async load(name: string, compressed: Readable): Promise<void> {
    const place = name.split("/")[1];
    const table = this.manifest.tables.find(
      (candidate) => `${candidate.schema}.${candidate.table}` === place,
    );
    if (!table) throw new DamagedBackupError(`The backup is damaged: ${name} belongs to no table.`);
    if (this.loading?.table !== table) {
      await this.endTable();
      // Functions in indexes find their tables and functions by it.
      await this.runner.query(`SET LOCAL search_path = "${table.schema}", public`);
      const columns = table.columns.map((column) => `"${column}"`).join(", ");
      const copy = this.client.query(from(`COPY ${qualified(table)} (${columns}) FROM STDIN`));
      // The next write or the end reports it; without a listener it would end the process.
      copy.on("error", (fault: Error) => (this.fault ??= fault));
      this.loading = { table, copy, lines: 0, lineBytes: 0 };
    }
    const loading = this.loading!;
    // Unpacked in pieces, so that data that unpacks to far more fills neither memory nor the disk.
    const unpacked = compressed.pipe(createGunzip());
    compressed.once("error", (fault: Error) => unpacked.destroy(fault));
    try {
      for await (const piece of unpacked as AsyncIterable<Buffer>)
        await this.copyPiece(loading, piece);
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException;
      throw code?.startsWith("Z_")
        ? new DamagedBackupError(`The backup is damaged: ${name} can't be unpacked.`)
        : fault;
    }
  }

  /** A row is a line; PostgreSQL escapes line breaks within it. */
  private async copyPiece(loading: Loading, piece: Buffer): Promise<void> {
    if (this.fault !== null) throw this.fault;
    const { table, copy } = loading;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) loading.lines += 1;
    loading.lineBytes = piece.includes(10)
      ? piece.length - piece.lastIndexOf(10) - 1
      : loading.lineBytes + piece.length;
    if (loading.lines > table.rows || loading.lineBytes > longestRow)
      throw new DamagedBackupError(
        `The backup is damaged: ${table.schema}.${table.table} has more than its ${table.rows} rows.`,
      );
    if (!copy.write(piece)) await once(copy, "drain");
  }

  /**
   * Compares the rows, then brings the schemas to this version and makes the database consistent.
   * Notes what is left to do.
   */
  async finish(unfinished: UnfinishedRestore): Promise<void> {
    await this.endTable();
    for (const { schema, table, rows } of this.manifest.tables) {
      const loaded = this.loaded.get(`${schema}.${table}`) ?? 0;
      if (loaded !== rows)
        throw new DamagedBackupError(
          `The backup is damaged: ${schema}.${table} has ${loaded} rows instead of ${rows}.`,
        );
    }
    for (const { schema, name, last, isCalled } of this.manifest.sequences)
      await this.runner.query("SELECT setval($1::regclass, $2::bigint, $3)", [
        `"${schema}"."${name}"`,
        last,
        isCalled,
      ]);
    for (const { schema, table, name, definition } of this.keys)
      await this.runner.query(
        `ALTER TABLE "${schema}"."${table}" ADD CONSTRAINT "${name}" ${definition}`,
      );
    for (const { schema, table } of await listTables(this.runner))
      await this.runner.query(`ALTER TABLE "${schema}"."${table}" ENABLE TRIGGER USER`);
    for (const database of databases) {
      const had = new Set(this.manifest.migrations[database.schema]);
      await runMigrations(
        this.runner,
        database,
        migrationsOf(database).filter(({ name }) => !had.has(name)),
      );
    }
    await this.resetState();
    for (const { schema } of databases)
      await this.runner.query(noteUnfinishedRestore(schema, unfinished));
  }

  /** If it rejects, the database may have committed nevertheless. */
  async commit(): Promise<void> {
    try {
      await this.runner.commitTransaction();
      await this.runner.query("ANALYZE").catch(() => undefined);
    } finally {
      await this.source.destroy().catch(() => undefined);
    }
  }

  async abandon(): Promise<void> {
    this.loading?.copy.destroy();
    await this.source.destroy().catch(() => undefined);
  }

  private async endTable(): Promise<void> {
    if (!this.loading) return;
    const { table, copy } = this.loading;
    this.loading = null;
    if (this.fault !== null) throw this.fault;
    copy.end();
    await once(copy, "finish");
    this.loaded.set(`${table.schema}.${table.table}`, copy.rowCount);
  }

  /**
   * Ends all sessions, since some may have been revoked after the backup, and has the indexes
   * rebuilt, because they contain what was there before. What waited to be posted to other programs
   * may have been posted since, or isn't for this copy of the instance to post: admins can replay
   * it.
   */
  private async resetState(): Promise<void> {
    for (const table of ["session", "reset_token", "sign_in_token"])
      await this.runner.query(`DELETE FROM auth.${table}`);
    await this.runner.query("UPDATE auth.instance_access SET epoch = epoch + 1");
    await this.runner.query(
      "UPDATE ingest.search_index SET identity = 'restored' WHERE role <> 'dropped'",
    );
    await this.runner.query(
      `UPDATE workspace.webhook_delivery
      SET state = 'failed', version = version + 1, finished_at = now(), next_attempt_at = NULL,
        fault = '{"code": "webhook.restored"}'
      WHERE state = 'pending'`,
    );
    for (const { schema } of databases)
      await this.runner.query(
        `DELETE FROM ${pg.escapeIdentifier(schema)}.outbox WHERE name = ANY($1)`,
        [postedMessages],
      );
  }
}

/** Refuses a backup that a newer version made. */
export function refuseNewer(manifest: Manifest): void {
  const unknown = unknownMigrations(manifest);
  if (unknown.length > 0)
    throw new PlainError(
      `A newer version of Carrel made this backup (${manifest.version}; this version lacks ${unknown.length === 1 ? "the migration" : "migrations such as"} ${unknown[0]}).\nWhat to do: update Carrel, then run the same command again.`,
    );
}
