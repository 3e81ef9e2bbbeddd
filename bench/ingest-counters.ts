import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { json } from "./client.ts";
import type { Product } from "./ingest-product.ts";

/** An alias in the benchmark's own query, which identifies it in the statistics. */
const uncounted = "bench_progress";

/** The product's commands, statements and writes so far. */
interface Work {
  statements: number;
  transactions: number;
  walSyncs: number;
  redisCommands: number;
  lanceCommits: Set<string>;
  embedderCalls: number;
}

export async function countWork(product: Product): Promise<Work> {
  const [postgres, redisCommands, embedder] = await Promise.all([
    countPostgres(product.databaseUrl),
    countRedis(product.redisUrl),
    json<{ received: number }>(product.embedderUrl, "GET", "/fake/state"),
  ]);
  return {
    ...postgres,
    redisCommands,
    lanceCommits: lanceCommits(join(product.home, "index")),
    embedderCalls: embedder.received,
  };
}

export function describeWork(before: Work, after: Work, files: number): string {
  const each = (count: number): string => (count / files).toFixed(1);
  const commits = [...after.lanceCommits].filter((name) => !before.lanceCommits.has(name));
  return [
    `${each(after.statements - before.statements)} statements`,
    `${each(after.transactions - before.transactions)} transactions`,
    `${each(after.walSyncs - before.walSyncs)} WAL syncs`,
    `${each(after.redisCommands - before.redisCommands)} Redis commands`,
    `${each(commits.length)} LanceDB commits`,
    `${each(after.embedderCalls - before.embedderCalls)} embedder calls`,
  ].join(", ");
}

/** Counts the workspace's files that are embedded, and those that failed. */
export async function readProgress(
  client: pg.Client,
  workspaceId: number,
): Promise<{ embedded: number; failed: number; passages: number }> {
  const { rows } = await client.query<{ embedded: number; failed: number; passages: number }>(
    `SELECT count(*) FILTER (WHERE ${uncounted}.state = 'embedded')::float8 AS embedded,
      count(*) FILTER (WHERE ${uncounted}.state = 'failed' OR d.state = 'failed')::float8 AS failed,
      coalesce(sum(${uncounted}.chunk_count), 0)::float8 AS passages
    FROM ingest.workspace_document ${uncounted} JOIN ingest.document d ON d.id = ${uncounted}.document_id
    WHERE ${uncounted}.workspace_id = $1`,
    [workspaceId],
  );
  return rows[0]!;
}

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The statements that took longest since the start, by what they took of PostgreSQL's time. */
export const describeStatements = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ calls: number; ms: number; query: string }>(
      `SELECT calls::float8, total_exec_time AS ms, regexp_replace(query, '\\s+', ' ', 'g') AS query
      FROM pg_stat_statements WHERE query NOT LIKE '%${uncounted}%'
      ORDER BY total_exec_time DESC LIMIT 25`,
    );
    return rows
      .map(({ calls, ms, query }) => `${ms.toFixed(0)} ms in ${calls}: ${query.slice(0, 160)}`)
      .join("\n");
  });

/** Without the benchmark's own queries, each of which is a transaction. */
const countPostgres = (
  url: string,
): Promise<Pick<Work, "statements" | "transactions" | "walSyncs">> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{
      statements: number;
      own: number;
      commits: number;
      syncs: number;
    }>(
      `SELECT (SELECT sum(calls)::float8 FROM pg_stat_statements) AS statements,
        (SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements WHERE query LIKE '%${uncounted}%') AS own,
        (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS commits,
        (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS syncs`,
    );
    const { statements, own, commits, syncs } = rows[0]!;
    return { statements: statements - own, transactions: commits - own, walSyncs: syncs };
  });

/** Commands that clients sent; those that scripts call aren't counted separately. */
function countRedis(url: string): Promise<number> {
  const { hostname, port, password } = new URL(url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`AUTH ${decodeURIComponent(password)}\r\nINFO stats\r\nQUIT\r\n`),
    );
    let reply = "";
    socket.on("data", (data) => (reply += data.toString()));
    socket.on("error", fail);
    socket.on("close", () =>
      done(Number(/total_commands_processed:(\d+)/.exec(reply)?.[1] ?? Number.NaN)),
    );
  });
}

/** Names of the tables' versions. Old ones are deleted after two minutes. */
function lanceCommits(folder: string): Set<string> {
  const versions = new Set<string>();
  for (const table of readdirSync(folder)) {
    if (!table.endsWith(".lance")) continue;
    for (const version of readdirSync(join(folder, table, "_versions")))
      versions.add(`${table}/${version}`);
  }
  return versions;
}
