import { documentWatchChanged } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestSyncWorker, type TestSyncWorker } from "../../test/test-sync-worker.ts";

const count = 5_000;
const hosts = 100;
const kills = 20;
const answerMs = 20;
let instance: TestSyncWorker;
beforeAll(async () => {
  instance = await startTestSyncWorker({ elsewhere: true });
});
afterAll(() => instance.stop(), 60_000);

it("syncs each of many due documents once, although replicas are killed again and again", async () => {
  const { world } = instance;
  // So many are answered between two kills; the others wait, so that kills interrupt some.
  const held: (() => void)[] = [];
  let allowed = 0;
  const answer = (): void => {
    for (const reply of held.splice(0, allowed)) {
      allowed -= 1;
      setTimeout(reply, answerMs);
    }
  };
  world.answer = () =>
    new Promise((resolve) => {
      held.push(() => resolve({ outcome: "unchanged", fault: null }));
      answer();
    });
  const documentIds = Array.from(
    { length: count },
    (_, n) => world.watch(`${n % hosts}.example`).documentId,
  );
  const replicas = await Promise.all([instance.startReplica(), instance.startReplica()]);
  for (let at = 0; at < count; at += 500)
    await instance.tell(documentWatchChanged, { documentIds: documentIds.slice(at, at + 500) });
  await poll(async () => (await instance.sql<object>("SELECT id FROM sync_worker.watch")).length, {
    timeoutMs: 120_000,
    intervalMs: 200,
  }).toBe(count);
  await instance.hurry();

  const successes = async () => {
    const [row] = await instance.sql<{ runs: number; watches: number }>(
      `SELECT count(*)::int AS runs, count(DISTINCT watch_id)::int AS watches
      FROM sync_worker.sync_run WHERE status = 'success'`,
    );
    return row!;
  };
  for (let kill = 1; kill <= kills; kill += 1) {
    await poll(() => held.length, { timeoutMs: 120_000 }).toBeGreaterThan(0);
    // Every fifth time, none is left for a moment.
    const killed = kill % 5 === 0 ? replicas.splice(0) : replicas.splice(0, 1);
    await Promise.all(killed.map((replica) => replica.kill()));
    expect((await successes()).runs).toBeLessThan(count);
    allowed += count / (kills + 5);
    answer();
    replicas.push(...(await Promise.all(killed.map(() => instance.startReplica()))));
  }
  allowed = Infinity;
  answer();
  await poll(successes, { timeoutMs: 180_000, intervalMs: 200 }).toEqual({
    runs: count,
    watches: count,
  });
  await poll(() => instance.sql("SELECT id FROM sync_worker.watch WHERE state <> 'waiting'"), {
    timeoutMs: 30_000,
  }).toEqual([]);
  expect(
    await instance.sql(
      `SELECT id FROM sync_worker.watch
      WHERE next_sync_at < now() + interval '1 day' OR last_synced_at IS NULL OR failures > 0`,
    ),
  ).toEqual([]);
  // What killed replicas had begun was given up, and nothing else was asked for twice.
  const ended = await instance.sql<{ status: string; count: number }>(
    "SELECT status, count(*)::int AS count FROM sync_worker.sync_run GROUP BY status ORDER BY status",
  );
  const exited = ended.find(({ status }) => status === "exited")?.count ?? 0;
  expect(ended).toEqual([
    { status: "exited", count: exited },
    { status: "success", count },
  ]);
  expect(exited).toBeGreaterThanOrEqual(kills);
  expect(new Set(world.refreshed).size).toBe(count);
  expect(world.refreshed.length).toBeLessThanOrEqual(count + exited);
}, 900_000);
