import { randomUUID } from "node:crypto";
import { createDataSource, migrate } from "@carrel/database";
import { testDatabase, waitFor, type TestDatabase } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { chatDatabase } from "../chat.database.ts";
import { queryRows } from "../database/query-rows.ts";
import { DeletionRepository } from "../deletion/deletion.repository.ts";
import { Replica } from "../replica/replica.ts";
import type { Ending } from "./ending.ts";
import { GenerationCancelRepository } from "./generation-cancel.repository.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationResultRepository } from "./generation-result.repository.ts";

const replica = new Replica();
const workspaceId = 1;

let database: TestDatabase;
let dataSource: DataSource;
let leases: GenerationLeaseRepository;
let results: GenerationResultRepository;
let deletions: DeletionRepository;
let runs: { id: string; turnId: number }[];

beforeAll(async () => {
  database = await testDatabase();
  await migrate(database.url, chatDatabase);
  dataSource = await createDataSource(database.url, chatDatabase, { poolSize: 5 }).initialize();
  // Off in tests.
  await dataSource.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database());
  END $$`);
  await dataSource.destroy();
  await dataSource.initialize();
  leases = new GenerationLeaseRepository(dataSource, replica);
  results = new GenerationResultRepository(dataSource, replica);
  deletions = new DeletionRepository(dataSource);
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});
/** Three running answers. Their IDs descend and later turns come first in the table. */
beforeEach(async () => {
  await dataSource.query("DELETE FROM chat.thread");
  runs = [3, 2, 1].map((turnId) => ({ turnId, id: `${turnId ^ 3}${randomUUID().slice(1)}` }));
  for (const { id, turnId } of runs)
    await dataSource.query(
      `WITH place AS (
        INSERT INTO chat.thread (workspace_id, slug, name) VALUES ($2, $1::uuid::text, 'Thread') RETURNING id
      ),
      asked AS (
        INSERT INTO chat.turn (id, thread_id, workspace_id, question, state)
        SELECT $4, id, $2, 'Why?', 'running' FROM place
        RETURNING id, thread_id
      )
      INSERT INTO chat.generation (id, turn_id, thread_id, workspace_id, state, scope, lease_owner)
      SELECT $1, id, thread_id, $2, 'running', '{}', $3 FROM asked`,
      [id, workspaceId, replica.id, turnId],
    );
  runs.reverse();
});

const endingOf = ({ id }: { id: string }): Ending => ({
  id,
  state: "done",
  answer: "Because.",
  reasoning: [],
  notices: [],
  sources: [],
  steps: [],
  read: null,
  metrics: null,
  fault: null,
  refused: false,
  toolCalls: null,
  mode: "chat",
  provider: null,
  model: null,
  use: null,
  threadName: null,
});
const progressOf = ({ turnId }: { turnId: number }) => ({
  turnId,
  answer: "Because",
  reasoning: [],
  notices: [],
  mode: "chat" as const,
  sources: null,
  steps: null,
});
const lockedRun = "SELECT FROM chat.generation WHERE turn_id = $1 FOR UPDATE";
const lockedTurn = "SELECT FROM chat.turn WHERE id = $1 FOR UPDATE";

const countWaiting = async (): Promise<number> =>
  (
    await queryRows<{ count: number }>(
      dataSource,
      `SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  )[0]!.count;

/** Starts `work` while the first turn or its run is locked, and looks at the others when it waits. */
async function whileFirstIsLocked(
  lock: string,
  work: () => Promise<unknown>,
  look: () => Promise<void>,
): Promise<void> {
  const blocker = dataSource.createQueryRunner();
  let working: Promise<unknown> | undefined;
  try {
    await blocker.startTransaction();
    await blocker.query(lock, [1]);
    working = work();
    await waitFor(async () => (await countWaiting()) > 0, { what: "a wait for the lock" });
    await look();
  } finally {
    await blocker.rollbackTransaction();
    await blocker.release();
    await working;
  }
}

const idsOf = (): string[] => runs.map(({ id }) => id);
const endAll = (): Promise<unknown> =>
  Promise.all(runs.toReversed().map((run) => results.finish(endingOf(run))));

it.each<[string, string, () => Promise<unknown>]>([
  ["renewing leases", lockedRun, () => leases.renew(idsOf())],
  ["dropping leases", lockedRun, () => leases.drop(idsOf())],
  ["giving up leases", lockedRun, () => leases.lapse(idsOf())],
  ["ending", lockedRun, endAll],
  ["saving texts", lockedTurn, () => results.saveProgress(runs.toReversed().map(progressOf))],
  [
    "cancelling",
    lockedRun,
    () => new GenerationCancelRepository(dataSource).cancelAll(dataSource.manager, { workspaceId }),
  ],
  ["deleting", lockedRun, () => deletions.deleteWorkspaceBatch(workspaceId, 10)],
])("%s locks answers in the order of their turns", async (_name, lock, work) => {
  await whileFirstIsLocked(lock, work, async () => {
    for (const turnId of [2, 3])
      for (const sql of [lockedRun, lockedTurn]) await dataSource.query(`${sql} NOWAIT`, [turnId]);
  });
});

it("ending locks turns by id once it has locked the runs", async () => {
  await whileFirstIsLocked(lockedTurn, endAll, async () => {
    for (const turnId of [2, 3]) await dataSource.query(`${lockedTurn} NOWAIT`, [turnId]);
  });
});

it("deleting answers doesn't hold up those that end meanwhile, or deadlock with them", async () => {
  let ended: { owned: boolean } | undefined;
  await whileFirstIsLocked(
    lockedRun,
    () => deletions.deleteWorkspaceBatch(workspaceId, 10),
    async () => {
      void results.finish(endingOf(runs[1]!)).then((result) => (ended = result));
      await waitFor(async () => ended !== undefined || (await countWaiting()) > 1);
      expect(ended).toMatchObject({ owned: true });
    },
  );
  expect(await dataSource.query("SELECT FROM chat.turn")).toEqual([]);
});

it("renewing leases and saving texts doesn't wait for the disk, ending does", async () => {
  await dataSource.query(`
    CREATE TABLE write (id int GENERATED ALWAYS AS IDENTITY, synced text);
    CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO write (synced) VALUES (current_setting('synchronous_commit'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_write AFTER UPDATE ON generation EXECUTE FUNCTION note_write();
    CREATE TRIGGER note_write AFTER UPDATE ON turn EXECUTE FUNCTION note_write()`);
  await leases.renew([runs[0]!.id]);
  await results.saveProgress([progressOf(runs[0]!)]);
  await results.finish(endingOf(runs[0]!));
  await leases.drop([runs[0]!.id]);
  expect(await dataSource.query("SELECT synced FROM write ORDER BY id")).toEqual(
    ["off", "off", "on", "on", "off"].map((synced) => ({ synced })),
  );
});
