import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { readFingerprint } from "@carrel/database";
import pg from "pg";
import { to } from "pg-copy-streams";
import { PlainError } from "../terminal.ts";
import type { ArchiveWriter } from "./archive-writer.ts";
import { qualified, type Manifest, type SequenceManifest, type TableManifest } from "./manifest.ts";
import { databases } from "./service-databases.ts";

const compress = promisify(gzip);
/** Bytes of a table before compression in one part of the archive, which is held in memory. */
const partBytes = 4 * 1024 * 1024;
/** Vectors by text and model: the embedder makes them again. */
const isVectors = ({ schema, table }: { schema: string; table: string }): boolean =>
  schema === "ingest" && table === "embedding_cache";

type Dump = Pick<Manifest, "migrations" | "tables" | "sequences">;

/** One transaction that sees the database as it was when it began. */
export class DatabaseSnapshot {
  private constructor(private readonly client: pg.Client) {}

  static async open(url: string): Promise<DatabaseSnapshot> {
    const client = new pg.Client({ connectionString: url, application_name: "carrel backup" });
    // A broken connection also fails the running statement, which reports it.
    client.on("error", () => undefined);
    await client.connect();
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(
      "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
    );
    return new DatabaseSnapshot(client);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Adds every table's rows as PostgreSQL's COPY writes them. */
  async dump(archive: ArchiveWriter, options: { vectors: boolean }): Promise<Dump> {
    const migrations = await this.migrations();
    const tables: TableManifest[] = [];
    for (const table of await this.tables()) {
      if (!options.vectors && isVectors(table)) continue;
      tables.push({ ...table, rows: await this.copy(archive, table) });
    }
    return { migrations, tables, sequences: await this.sequences() };
  }

  /** Fingerprint of the secret that the database belongs to; null if it belongs to none. */
  async owner(): Promise<string | null> {
    return (await readFingerprint(this.client)) ?? null;
  }

  /** Keys of the originals of documents, in pages. */
  async *originals(): AsyncGenerator<string[]> {
    for (let after = ""; ;) {
      const { rows } = await this.client.query<{ key: string }>(
        `SELECT DISTINCT blob_key AS key FROM ingest.document
        WHERE blob_key > $1
        ORDER BY blob_key LIMIT 1000`,
        [after],
      );
      if (rows.length === 0) return;
      yield rows.map(({ key }) => key);
      after = rows.at(-1)!.key;
    }
  }

  private async migrations(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const { schema } of databases) {
      const { rows: tables } = await this.client.query<{ exists: boolean }>(
        "SELECT to_regclass($1) IS NOT NULL AS exists",
        [`${schema}.migration`],
      );
      if (!tables[0]!.exists)
        throw new PlainError(
          `There is nothing to back up: the database has no ${schema} schema yet.\nWhat to do: check CARREL_HOME and DATABASE_URL, or start Carrel once.`,
        );
      const { rows } = await this.client.query<{ name: string }>(
        `SELECT name FROM "${schema}".migration ORDER BY id`,
      );
      found[schema] = rows.map(({ name }) => name);
    }
    return found;
  }

  private async tables(): Promise<Omit<TableManifest, "rows">[]> {
    const { rows } = await this.client.query<Omit<TableManifest, "rows">>(
      `SELECT n.nspname AS schema, c.relname AS table,
        array_agg(a.attname::text ORDER BY a.attnum) AS columns
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE n.nspname = ANY($1) AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY n.nspname, c.relname
      ORDER BY n.nspname, c.relname`,
      [databases.map(({ schema }) => schema)],
    );
    return rows;
  }

  private async sequences(): Promise<SequenceManifest[]> {
    const { rows } = await this.client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, sequencename AS name FROM pg_sequences
      WHERE schemaname = ANY($1)
      ORDER BY 1, 2`,
      [databases.map(({ schema }) => schema)],
    );
    const found: SequenceManifest[] = [];
    for (const { schema, name } of rows) {
      const { rows: values } = await this.client.query<{ last: string; is_called: boolean }>(
        `SELECT last_value AS last, is_called FROM "${schema}"."${name}"`,
      );
      found.push({ schema, name, last: values[0]!.last, isCalled: values[0]!.is_called });
    }
    return found;
  }

  /** Returns the number of rows. */
  private async copy(archive: ArchiveWriter, table: Omit<TableManifest, "rows">): Promise<number> {
    const columns = table.columns.map((column) => `"${column}"`).join(", ");
    const rows = this.client.query(to(`COPY ${qualified(table)} (${columns}) TO STDOUT`));
    let [pieces, bytes, part]: [Buffer[], number, number] = [[], 0, 0];
    const flush = async (): Promise<void> => {
      if (bytes === 0) return;
      part += 1;
      const name = `database/${table.schema}.${table.table}/${String(part).padStart(6, "0")}.gz`;
      await archive.add(name, await compress(Buffer.concat(pieces), { level: 3 }));
      [pieces, bytes] = [[], 0];
    };
    for await (const piece of rows as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= partBytes) await flush();
    }
    await flush();
    return rows.rowCount;
  }
}
