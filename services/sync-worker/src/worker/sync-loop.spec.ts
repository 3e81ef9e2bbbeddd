import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import type { SyncWorkerConfig } from "../sync-worker.config.ts";
import type { Claimed, SyncQueueRepository } from "../watch/sync-queue.repository.ts";
import type { DocumentSync } from "./document-sync.ts";
import type { SourceSync } from "./source-sync.ts";
import { SyncLoop } from "./sync-loop.ts";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval"] }));
afterEach(() => mock.timers.reset());

it("doesn't rank a long queue again for each document that is done", async () => {
  let [looks, done] = [0, 0];
  const queue = {
    claim: () => {
      looks += 1;
      const begun = Array.from({ length: 4 }, (_, n) => ({
        documentId: "d",
        runId: `${looks}.${n}`,
      }));
      return Promise.resolve(begun as Claimed[]);
    },
  } as unknown as SyncQueueRepository;
  const documents = {
    describe: () => Promise.resolve(new Map()),
    sync: () => {
      done += 1;
      return Promise.resolve();
    },
  } as unknown as DocumentSync;
  const loop = new SyncLoop(
    { CARREL_SYNC_POLL_SECONDS: 60, CARREL_SYNC_LEASE_SECONDS: 30 } as SyncWorkerConfig,
    console as never,
    { isOn: () => Promise.resolve(true), onChange: () => undefined } as unknown as LiveSyncSwitch,
    queue,
    documents,
    {} as SourceSync,
  );
  loop.onApplicationBootstrap();
  for (const n of [1, 2, 3]) {
    await setImmediate();
    expect([looks, done]).toEqual([n, 4 * n]);
    mock.timers.tick(10_000);
  }
  await loop.beforeApplicationShutdown();
});
