import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chatService } from "@carrel/chat";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { createWorkspace, instancePrincipal } from "@carrel/contracts";
import { ingestService } from "@carrel/ingest";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import {
  startTestRedis,
  testDatabase,
  waitFor,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { workspaceService } from "@carrel/workspace";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";

const services = [workspaceService, ingestService, chatService];
const home = mkdtempSync(join(tmpdir(), "carrel-orphans-"));
const gone = 900_001;
let database: TestDatabase;
let redis: TestRedis;
let shared: SharedInfrastructure;
let sql: pg.Pool;
let living: number;
let running: RunningService[] = [];

async function addRows(workspaceId: number): Promise<void> {
  const {
    rows: [thread],
  } = await sql.query<{ id: number }>(
    `INSERT INTO chat.thread (workspace_id, name) VALUES ($1, 'Thread') RETURNING id`,
    [workspaceId],
  );
  await sql.query(
    `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state)
    VALUES ($1, $2, 'Why?', 'Because.', 'done')`,
    [thread!.id, workspaceId],
  );
  const {
    rows: [document],
  } = await sql.query<{ id: string }>(
    `INSERT INTO ingest.document (
      id, docpath, folder, filename, title, url, doc_author, description, doc_source, chunk_source,
      published, mime, bytes, sha256, state
    )
    VALUES (
      gen_random_uuid(), $1, 'custom-documents', $1, $1, '', '', '', '', '', '', 'text/plain', 1,
      'x', 'parsed'
    )
    RETURNING id`,
    [`custom-documents/of-${workspaceId}.json`],
  );
  const {
    rows: [held],
  } = await sql.query<{ id: number }>(
    `INSERT INTO ingest.workspace_document (workspace_id, document_id, state, index_version)
    VALUES ($1, $2, 'searchable', 1)
    RETURNING id`,
    [workspaceId, document!.id],
  );
  await sql.query(
    `INSERT INTO ingest.chunk (
      id, workspace_document_id, workspace_id, version, ordinal, start, "end", heading_path,
      content_hash
    )
    VALUES (gen_random_uuid(), $1, $2, 1, 0, 0, 1, '[]', '\\x00')`,
    [held!.id, workspaceId],
  );
}

const tables = ["chat.thread", "chat.turn", "ingest.workspace_document", "ingest.chunk"];
async function countRows(workspaceId: number): Promise<number[]> {
  return Promise.all(
    tables.map(async (table) =>
      Number(
        (
          await sql.query<{ count: string }>(
            `SELECT count(*) FROM ${table} WHERE workspace_id = $1`,
            [workspaceId],
          )
        ).rows[0]!.count,
      ),
    ),
  );
}

beforeAll(async () => {
  [database, redis] = await Promise.all([testDatabase(), startTestRedis()]);
  const shape: typeof instanceShape = Object.assign(
    {},
    ...services.map((service) => service.shape ?? {}),
    instanceShape,
  );
  const config: InstanceConfig = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_LOG_LEVEL: "silent",
    CARREL_MODEL_HUB: "off",
    CARREL_SECRET: "orphans-".repeat(5),
  });
  shared = createSharedInfrastructure(config);
  // The reconcilers run every few tenths of a second instead of every minute.
  running = await Promise.all(
    services.map((service) =>
      startService(service, config, { shared, healthPort: false, reconcileMs: 300 }),
    ),
  );
  sql = new pg.Pool({ connectionString: database.url, max: 2 });
  const made = await shared.messaging.client.request(
    createWorkspace,
    { name: "Living" },
    { scope: { principal: instancePrincipal, workspace: null } },
  );
  living = made.workspace!.id;
  await Promise.all([addRows(living), addRows(gone)]);
});
afterAll(async () => {
  await sql?.end();
  await Promise.all(running.map((service) => service.stop()));
  await shared?.close();
  await Promise.all([redis?.stop(), database?.drop()]);
  rmSync(home, { recursive: true, force: true });
});

it("the daily comparison removes data in chat and ingest of a workspace without a row, and nothing of an existing one", async () => {
  expect([await countRows(gone), await countRows(living)]).toEqual([
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ]);
  await waitFor(async () => (await countRows(gone)).every((count) => count === 0), {
    what: "the orphans to go",
  });
  expect(await countRows(living)).toEqual([1, 1, 1, 1]);
  // The document itself belongs to the library.
  expect(
    (
      await sql.query(
        `SELECT 1 FROM ingest.document WHERE docpath = 'custom-documents/of-${gone}.json'`,
      )
    ).rowCount,
  ).toBe(1);
});
