import { documentWatchChanged } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestSyncWorker, type TestSyncWorker } from "../../test/test-sync-worker.ts";

const count = 60;
const hosts = 10;
/** Long enough that a replica is killed in the middle. */
const answerMs = 80;
let instance: TestSyncWorker;
beforeAll(async () => {
  instance = await startTestSyncWorker({ elsewhere: true });
});
afterAll(() => instance.stop(), 30_000);

it("syncs each due document once, although a replica is killed meanwhile", async () => {
  const { world } = instance;
  const [replica] = await Promise.all([instance.startReplica(), instance.startReplica()]);
  const open = new Map<string, number>();
  let most = 0;
  world.answer = (documentId) => {
    const host = new URL(world.documents.get(documentId)!.chunkSource.slice(7)).host;
    open.set(host, (open.get(host) ?? 0) + 1);
    most = Math.max(most, open.get(host)!);
    return new Promise((resolve) =>
      setTimeout(() => {
        open.set(host, open.get(host)! - 1);
        resolve({ outcome: "unchanged", fault: null });
      }, answerMs),
    );
  };
  const documentIds = Array.from(
    { length: count },
    (_, n) => world.watch(`${n % hosts}.example`).documentId,
  );
  await instance.tell(documentWatchChanged, { documentIds });
  const watched = () => instance.sql<object>("SELECT id FROM sync_worker.watch");
  await poll(async () => (await watched()).length, { timeoutMs: 60_000 }).toBe(count);
  await instance.hurry();
  await poll(() => world.refreshed.length, { timeoutMs: 60_000 }).toBeGreaterThanOrEqual(20);
  await replica.kill();
  await instance.startReplica();
  await poll(
    () =>
      instance.sql(
        `SELECT count(*)::int AS runs, count(DISTINCT watch_id)::int AS watches
        FROM sync_worker.sync_run WHERE status = 'success'`,
      ),
    { timeoutMs: 60_000 },
  ).toEqual([{ runs: count, watches: count }]);
  expect(await instance.sql("SELECT id FROM sync_worker.watch WHERE state <> 'waiting'")).toEqual(
    [],
  );
  // What a killed replica had begun was given up and begun again.
  const [given] = await instance.sql<{ up: number }>(
    "SELECT count(*)::int AS up FROM sync_worker.sync_run WHERE status = 'exited'",
  );
  expect(world.refreshed.length).toBeLessThanOrEqual(count + given!.up);
  // A killed replica's requests may still be open when the other one repeats them.
  expect(most).toBeLessThanOrEqual(8);
}, 240_000);
