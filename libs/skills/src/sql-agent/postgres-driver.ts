import { parseSqlAddress, type SqlAddress, type SqlConnection } from "@carrel/contracts";
import type { Client, ClientConfig } from "pg";
import {
  checkPostgres,
  refuseVolatile,
  volatilityQuery,
  volatilityValues,
} from "./check-postgres.ts";
import { GuardedSocket, connectGuarded } from "./guarded-socket.ts";
import { postgresCatalog } from "./postgres-catalog.ts";
import {
  sqlLimits,
  type CheckedStatement,
  type SqlEngineDriver,
  type SqlRows,
  type SqlSession,
} from "./sql-engine.ts";

/** OIDs of int8, int2, int4, oid, float4, float8 and numeric. */
const numeric = new Set([20, 21, 23, 26, 700, 701, 1700]);
const bytea = 17;
const batch = 500;
const closeMs = 1_000;

export const postgresDriver: SqlEngineDriver = {
  check: checkPostgres,
  open: async (connection, signal) => {
    const session = new PostgresSession(await connect(connection, signal), signal);
    try {
      await session.begin(connection.schema);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
  catalog: postgresCatalog,
};

async function connect({ engine, connectionString }: SqlConnection, signal: AbortSignal) {
  const address = parseSqlAddress(engine, connectionString);
  const { default: pg } = await import("pg");
  signal.throwIfAborted();
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.username,
    password: address.password,
    database: address.database || address.username,
    ssl: sslOf(address),
    connectionTimeoutMillis: sqlLimits.connectMs,
    application_name: "carrel",
    stream: () => new GuardedSocket(),
    types: { getTypeParser: (oid: number) => readValue(oid) } as ClientConfig["types"],
  } as ClientConfig);
  // An error of an idle connection; the next call to it fails.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** As libpq's sslmode; without one, encrypted if the server can, which it then may prove. */
function sslOf({ options }: SqlAddress): ClientConfig["ssl"] {
  const mode = options.sslmode ?? (options.ssl === "true" ? "require" : "disable");
  if (mode === "disable" || mode === "allow" || mode === "prefer") return false;
  return mode === "no-verify" || (mode === "require" && options.uselibpqcompat === "true")
    ? { rejectUnauthorized: false }
    : true;
}

const readValue =
  (oid: number) =>
  (text: string | Buffer): unknown => {
    const value = String(text);
    if (oid === bytea) return `<binary, ${Math.max(0, value.length - 2) / 2} bytes>`;
    if (oid === 16) return value === "t";
    if (!numeric.has(oid)) return value;
    const number = Number(value);
    const isExact = Number.isFinite(number) && value.replace(/\D/g, "").length <= 15;
    return isExact ? number : value;
  };

class PostgresSession implements SqlSession {
  private readonly stop = (): void => void this.cancel();

  constructor(
    private readonly client: Client,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", this.stop, { once: true });
  }

  /** The first query in it makes its mode final: nothing can make the transaction writable then. */
  async begin(schema: string | null): Promise<void> {
    await this.client.query("SET default_transaction_read_only = on");
    await this.client.query(`SET statement_timeout = ${sqlLimits.statementMs}`);
    await this.client.query("SET lock_timeout = 5000");
    await this.client.query(
      `SET idle_in_transaction_session_timeout = ${sqlLimits.statementMs * 2}`,
    );
    if (schema !== null)
      await this.client.query("SELECT pg_catalog.set_config('search_path', $1, false)", [
        `"${schema.replaceAll('"', '""')}"`,
      ]);
    await this.client.query("BEGIN TRANSACTION READ ONLY");
    await this.client.query("SELECT 1");
  }

  async read(text: string, values: (string | number | null)[]): Promise<Record<string, unknown>[]> {
    return (await this.client.query(text, values)).rows as Record<string, unknown>[];
  }

  async query(statement: CheckedStatement): Promise<SqlRows> {
    const { text, functions, attributes = [] } = statement;
    if (functions.length + attributes.length > 0)
      refuseVolatile(statement, await this.read(volatilityQuery, volatilityValues(statement)));
    const { default: Cursor } = await import("pg-cursor");
    // The extended protocol runs a single statement only.
    const cursor = this.client.query(new Cursor<unknown[]>(text, [], { rowMode: "array" }));
    const rows: unknown[][] = [];
    let counted = 0;
    let columns: string[] = [];
    let endAt = Infinity;
    for (;;) {
      const read = await readBatch(cursor);
      columns = read.columns.length > 0 ? read.columns : columns;
      for (const row of read.rows) if (rows.length < sqlLimits.keptRows) rows.push(row);
      counted += read.rows.length;
      if (read.rows.length < batch) return { columns, rows, counted, hasMore: false };
      if (rows.length === sqlLimits.keptRows && endAt === Infinity)
        endAt = performance.now() + sqlLimits.countMs;
      if (counted >= sqlLimits.countedRows || performance.now() > endAt) {
        await within(closeMs, cursor.close());
        return { columns, rows, counted, hasMore: true };
      }
    }
  }

  async close(): Promise<void> {
    this.signal.removeEventListener("abort", this.stop);
    await within(closeMs, this.client.query("ROLLBACK"));
    await within(closeMs, this.client.end());
    this.socket.destroy();
  }

  /** Asks the server to stop (PostgreSQL's CancelRequest), then ends the connection. */
  private async cancel(): Promise<void> {
    const { processID, secretKey, host, port } = this.client as Client & {
      processID: number | null;
      secretKey: number | null;
    };
    try {
      if (typeof processID !== "number" || typeof secretKey !== "number") return;
      const request = Buffer.alloc(16);
      request.writeInt32BE(16, 0);
      request.writeInt32BE(80_877_102, 4);
      request.writeInt32BE(processID, 8);
      request.writeInt32BE(secretKey, 12);
      const socket = connectGuarded(host, port);
      socket.on("error", () => undefined);
      socket.end(request);
    } finally {
      setTimeout(() => this.socket.destroy(), 250).unref();
    }
  }

  private get socket(): GuardedSocket {
    return (this.client as unknown as { connection: { stream: GuardedSocket } }).connection.stream;
  }
}

/** A broken connection may never answer; what goes wrong then doesn't matter. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

interface Batch {
  columns: string[];
  rows: unknown[][];
}

function readBatch(cursor: import("pg-cursor")<unknown[]>): Promise<Batch> {
  return new Promise((resolve, reject) => {
    cursor.read(batch, (error, rows, result) => {
      if (error) reject(error);
      else resolve({ columns: result?.fields?.map((each) => each.name) ?? [], rows });
    });
  });
}
