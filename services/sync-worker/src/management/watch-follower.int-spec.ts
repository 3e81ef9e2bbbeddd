import { listWatches } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, it } from "@jest/globals";
import { World } from "../../test/doubles.ts";
import { startTestSyncWorker, type TestSyncWorker } from "../../test/test-sync-worker.ts";

const world = new World();
const { documentId } = world.watch("lost.example");
let instance: TestSyncWorker;
beforeAll(async () => {
  // The comparison comes after some rounds.
  instance = await startTestSyncWorker({ reconcileMs: 20, world });
});
afterAll(() => instance.stop(), 30_000);

it("finds documents whose events were lost", async () => {
  const list = async () => (await instance.request(listWatches, { slug: "w7" })).watches;
  await poll(list, { timeoutMs: 20_000 }).toMatchObject([
    { document: { id: documentId }, state: "waiting" },
  ]);
});
