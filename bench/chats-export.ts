/**
 * The export of 100,000 recorded chats in each format: time, size and the memory it takes. Rows are
 * seeded with SQL; answers and sources are as long as real ones.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { guardedFolder } from "../libs/testing/src/guard.ts";
import { startInstance } from "../libs/testing/src/instance.ts";
import { startPostgres } from "../tools/postgres.ts";
import { json } from "./client.ts";

const chatCount = 100_000;
const all = chatCount.toLocaleString("en-US");
const sampleMs = 20;
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));

/** Threads of 20 chats; an answer has 1.5 kB and four sources of 1 kB each. */
async function seed(client: pg.Client, workspaceId: number): Promise<void> {
  await client.query("SET search_path TO chat; ALTER TABLE turn DISABLE TRIGGER USER");
  await client.query(
    `INSERT INTO chat.thread (slug, workspace_id, name)
    SELECT gen_random_uuid()::text, $1, 'Thread' FROM generate_series(1, ${chatCount / 20})`,
    [workspaceId],
  );
  await client.query(
    `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, sources, state, feedback)
    SELECT thread.id, $1, 'Question ' || n || ' ' || md5(n::text),
      (SELECT string_agg(md5((n * 50 + k)::text), ' ') FROM generate_series(1, 45) k),
      (
        SELECT json_agg(json_build_object('title', 'Source ' || k, 'text', repeat(md5((n + k)::text), 31)))
        FROM generate_series(1, 4) k
      ),
      'done', CASE n % 3 WHEN 0 THEN true WHEN 1 THEN false END
    FROM chat.thread, generate_series(1, 20) n`,
    [workspaceId],
  );
  await client.query("ALTER TABLE turn ENABLE TRIGGER USER; ANALYZE turn; ANALYZE thread");
}

const postgres = await startPostgres({
  folder: join(guardedFolder("carrel-bench-chats-export-"), "postgres"),
});
const instance = await startInstance({ DATABASE_URL: postgres.url });
const database = new pg.Client({ connectionString: postgres.url });
/** Memory of the product's process in megabytes. */
const memory = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${instance.process.pid}/status`, "utf8"))![1]) /
  1024;

/** Reads an export without keeping it; returns what it took. */
async function readExport(query: string): Promise<{ bytes: number; ms: number; extra: number }> {
  const before = memory();
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, memory());
  }, sampleMs);
  const started = performance.now();
  let bytes = 0;
  try {
    const response = await fetch(`${instance.url}/api/system/export-chats?${query}`);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    for await (const part of response.body!) bytes += (part as Uint8Array).byteLength;
  } finally {
    clearInterval(sampler);
  }
  return { bytes, ms: performance.now() - started, extra: most - before };
}

try {
  await database.connect();
  const { workspace } = await json<{ workspace: { id: number } }>(
    instance.url,
    "POST",
    "/api/workspace/new",
    { name: "Chats" },
  );
  await seed(database, workspace.id);
  // The first requests of a product compile code.
  await readExport("search=nothing");
  for (const type of ["csv", "json", "jsonl", "jsonAlpaca"]) {
    const { bytes, ms, extra } = await readExport(`type=${type}`);
    print({
      what: `chats-export: memory, ${type}`,
      how: `${all} chats, ${(bytes / 1e6).toFixed(0)} MB, over HTTP in ${(ms / 1000).toFixed(1)} s; peak above the idle product`,
      figure: `${extra.toFixed(0)} MB`,
      reach: "",
      goal: "≤ 60 MB",
    });
  }
} finally {
  await database.end();
  await instance.stop();
  await postgres.stop();
}
