import { Socket, type TcpNetConnectOpts } from "node:net";
import { EgressError, providerLookup, requireProviderHost } from "@carrel/egress";
import type { Pool, PoolClient } from "pg";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import {
  VectorStoreError,
  requireDimensions,
  type ScoredId,
  type VectorModel,
} from "./vector-store.ts";

/**
 * Socket for database clients that open their own connections: TCP only, never to an address that
 * serves credentials.
 */
class GuardedSocket extends Socket {
  override connect(...args: unknown[]): this {
    const [port, host] = args;
    try {
      if (typeof port !== "number" || typeof host !== "string")
        throw new EgressError("refused", { code: "egress.socket-path" });
      requireProviderHost(host);
    } catch (refusal) {
      process.nextTick(() => this.destroy(refusal as Error));
      return this;
    }
    const options: TcpNetConnectOpts = { port, host, lookup: providerLookup };
    return super.connect(options);
  }
}

const limits = { connections: 5, connectMs: 5_000, statementMs: 60_000 };
/**
 * Maximum dimensions pgvector can store and its graph index supports. Longer vectors are compared
 * one by one within their workspace.
 */
const most = { dimensions: 16_000, indexedDimensions: 2_000 };
/**
 * Candidates per graph search. With iterative scan the search continues until the workspace has
 * enough hits.
 */
const searchedNeighbours = 200;

export async function openPostgres({
  name,
  connectionString,
  table,
}: {
  name: string;
  connectionString: string;
  /** Prefix of the table names. */
  table: string;
}): Promise<VectorDriver> {
  if (!URL.canParse(connectionString))
    throw new VectorStoreError(
      { code: "vector-store.connection-string-invalid" },
      { isRetryable: false },
    );
  const { hostname, port } = new URL(connectionString);
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString,
    max: limits.connections,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    // For a server that doesn't respond at all.
    query_timeout: limits.statementMs + 5_000,
    idleTimeoutMillis: 10_000,
    application_name: "carrel",
    stream: () => new GuardedSocket(),
  });
  // The next call replaces an idle connection that breaks.
  pool.on("error", () => undefined);
  return new PostgresDriver(name, pool, table, `${hostname}:${port || 5432}`);
}

/**
 * One table per model: `<table>_<dimensions>_<hash>`. Vectors have length 1; the workspace is the
 * leading column of the row index.
 */
class PostgresDriver implements VectorDriver {
  readonly batchSize = 1_000;
  private prepared = new WeakSet<PoolClient>();

  constructor(
    private readonly name: string,
    private readonly pool: Pool,
    private readonly base: string,
    private readonly place: string,
  ) {}

  ensure(table: string, dimensions: number): Promise<boolean> {
    return this.run(async (client) => {
      const name = this.tableName(table);
      if (await exists(client, name)) return false;
      requireDimensions("PGVector", dimensions, most.dimensions);
      await client.query("BEGIN");
      try {
        // Only one of several replicas starting together creates it.
        await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
        const wasThere = await exists(client, name);
        if (!wasThere) {
          await this.requireExtension(client);
          await client.query(
            `CREATE TABLE ${name} (id uuid PRIMARY KEY, workspace_id bigint NOT NULL, document_id text NOT NULL, version integer NOT NULL, embedding vector(${dimensions}) NOT NULL)`,
          );
          await client.query(`CREATE INDEX ON ${name} (workspace_id, document_id)`);
          if (dimensions <= most.indexedDimensions)
            await client.query(`CREATE INDEX ON ${name} USING hnsw (embedding vector_cosine_ops)`);
        }
        await client.query("COMMIT");
        return !wasThere;
      } catch (fault) {
        await client.query("ROLLBACK").catch(() => undefined);
        throw fault;
      }
    });
  }

  async upsert(table: string, rows: DriverRow[]): Promise<void> {
    const columns = [
      rows.map((row) => row.id),
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.documentId),
      rows.map((row) => row.version),
      rows.map((row) => JSON.stringify(row.vector)),
    ];
    await this.run((client) =>
      client.query(
        `INSERT INTO ${this.tableName(table)} (id, workspace_id, document_id, version, embedding)
        SELECT r.id, r.workspace_id, r.document_id, r.version, r.embedding::vector
        FROM unnest(
          $1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::text[]
        ) AS r(id, workspace_id, document_id, version, embedding)
        ON CONFLICT (id) DO UPDATE SET workspace_id = excluded.workspace_id,
          document_id = excluded.document_id, version = excluded.version,
          embedding = excluded.embedding`,
        columns,
      ),
    );
  }

  async search(
    table: string,
    { workspaceId, vector, limit, documentIds }: DriverQuery,
  ): Promise<ScoredId[]> {
    const { rows } = await this.run((client) =>
      client.query<ScoredId>(
        `SELECT id, 1 - (embedding <=> $1::vector) AS score
        FROM ${this.tableName(table)}
        WHERE workspace_id = $2 AND ($4::text[] IS NULL OR document_id = ANY($4))
        ORDER BY embedding <=> $1::vector LIMIT $3`,
        [JSON.stringify(vector), workspaceId, limit, documentIds ?? null],
      ),
    );
    return rows.map(({ id, score }) => ({ id, score: Number(score) }));
  }

  async deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    await this.run((client) =>
      client.query(
        `DELETE FROM ${this.tableName(table)}
        WHERE workspace_id = $1 AND document_id = $2 AND ($3::int IS NULL OR version <> $3)`,
        [workspaceId, documentId, exceptVersion ?? null],
      ),
    );
  }

  async deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    await this.run((client) =>
      client.query(`DELETE FROM ${this.tableName(table)} WHERE workspace_id = $1`, [workspaceId]),
    );
  }

  async drop(table: string): Promise<void> {
    await this.run((client) => client.query(`DROP TABLE IF EXISTS ${this.tableName(table)}`));
  }

  isMissing(fault: unknown): boolean {
    return fault instanceof VectorStoreError && codeOf(fault.cause) === "42P01";
  }

  check(model: VectorModel | undefined): Promise<void> {
    return this.run(async (client) => {
      if (model) requireDimensions("PGVector", model.dimensions, most.dimensions);
      // Rolled back: this only tests whether it would work.
      await client.query("BEGIN");
      try {
        await this.requireExtension(client);
        await client.query(
          `CREATE TABLE ${this.tableName("carrel-check-1-00000000")} (embedding vector(3))`,
        );
      } finally {
        await client.query("ROLLBACK").catch(() => undefined);
      }
    });
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async requireExtension(client: PoolClient): Promise<void> {
    if ((await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'vector'`)).rowCount)
      return;
    if (
      !(await client.query(`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`)).rowCount
    ) {
      throw new VectorStoreError(
        { code: "vector-store.extension-missing", params: { place: this.place } },
        { isRetryable: false },
      );
    }
    await client.query("CREATE EXTENSION IF NOT EXISTS vector");
  }

  /** Quoted, at most 63 bytes, with the schema if one was given. */
  private tableName(table: string): string {
    const own = /-(\d+)-([0-9a-f]{8})$/.exec(table);
    const parts = this.base.split(".");
    const schema = parts.length > 1 ? parts.shift() : undefined;
    const base = cut(parts.join("."), 40);
    const quoted = (text: string): string => `"${text.replaceAll('"', '""').replaceAll("\0", "")}"`;
    return `${schema ? `${quoted(schema)}.` : ""}${quoted(`${base}_${own?.[1]}_${own?.[2]}`)}`;
  }

  private async run<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await this.pool.connect();
      await this.prepare(client);
      const result = await work(client);
      client.release();
      return result;
    } catch (cause) {
      // A connection left in an unknown state by a fault is not reused.
      client?.release(codeOf(cause) === undefined);
      throw this.fault(cause);
    }
  }

  private async prepare(client: PoolClient): Promise<void> {
    if (this.prepared.has(client)) return;
    // Older servers don't know the second setting; without the extension both are just unused
    // names.
    await client.query(`SET hnsw.ef_search = ${searchedNeighbours}`);
    await client.query(`SET hnsw.iterative_scan = strict_order`).catch((fault: unknown) => {
      if (codeOf(fault) === undefined) throw fault;
    });
    this.prepared.add(client);
  }

  private fault(cause: unknown): VectorStoreError {
    if (cause instanceof VectorStoreError) return cause;
    const { name: store, place } = this;
    const code = codeOf(cause);
    const details = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof EgressError)
      return new VectorStoreError(cause.fault, { isRetryable: false, cause });
    if (code === "28P01" || code === "28000")
      return new VectorStoreError(
        { code: "vector-store.password-rejected", params: { store, place } },
        { isRetryable: false, cause },
      );
    if (code === "3D000")
      return new VectorStoreError(
        { code: "vector-store.database-missing", params: { place } },
        { isRetryable: false, cause },
      );
    if (code === "42501")
      return new VectorStoreError(
        { code: "vector-store.not-allowed", params: { store, place, details } },
        { isRetryable: false, cause },
      );
    // Five characters are PostgreSQL's own codes. Retryable: 08 connection, 40 rolled back, 53
    // resources, 57 operator intervention.
    if (code !== undefined && code.length === 5 && code !== "EPIPE")
      return new VectorStoreError(
        { code: "vector-store.failed", params: { store, place, details } },
        { isRetryable: /^(08|40|53|57)/.test(code), cause },
      );
    return new VectorStoreError(
      {
        code: "vector-store.unreachable",
        params: { store, place, cause: ` (${code ?? details})` },
      },
      { isRetryable: true, cause },
    );
  }
}

async function exists(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>(
    "SELECT to_regclass($1)::text AS found",
    [name],
  );
  return rows[0]?.found != null;
}

function codeOf(fault: unknown): string | undefined {
  if (fault instanceof AggregateError) return codeOf(fault.errors[0]);
  return typeof fault === "object" &&
    fault !== null &&
    "code" in fault &&
    typeof fault.code === "string"
    ? fault.code
    : undefined;
}

/** The longest prefix that fits in this many bytes. */
function cut(text: string, bytes: number): string {
  let kept = "";
  for (const sign of text) {
    if (Buffer.byteLength(kept + sign) > bytes) break;
    kept += sign;
  }
  return kept;
}
