import { mkdtemp, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { instanceShape, loadConfig } from "@carrel/config";
import { startService, type RunningService } from "@carrel/runtime";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";
import { ingestService } from "../index.ts";
import { ingestShape } from "../ingest.config.ts";

let ingest: TestIngest;
let otherHome: string;
beforeAll(async () => {
  ingest = await startTestIngest();
  otherHome = await mkdtemp(path.join(tmpdir(), "carrel-other-home-"));
  const id = await ingest.upload(1, "harbour.txt", "Three ships are in the harbour.");
  await ingest.until(1, id, "searchable", "embedded");
});
afterAll(async () => {
  await ingest.stop();
  await rm(otherHome, { recursive: true, force: true });
});

/** A replica in this process, with connections of its own. */
const startReplica = (home: string): Promise<RunningService> =>
  startService(
    ingestService,
    loadConfig(
      { ...instanceShape, ...ingestShape },
      {
        CARREL_HOME: home,
        DATABASE_URL: ingest.config.DATABASE_URL,
        REDIS_URL: ingest.redis.url,
        CARREL_SECRET: "a secret for tests that is long enough",
        CARREL_LOG_LEVEL: "silent",
        CARREL_MODEL_HUB: "off",
      },
    ),
    { healthPort: false },
  );

it("refuses a replica with a folder of its own, and takes one that shares it", async () => {
  await expect(startReplica(otherHome)).rejects.toMatchObject({
    // What a service that ends because of it prints, without a stack.
    name: "VectorStoreError",
    message:
      "Another replica of the document service keeps the search index in a different folder. All replicas must share the folder index in CARREL_HOME, unless Qdrant holds the index.",
    fault: { code: "vector-store.folder-elsewhere" },
    isRetryable: true,
  });
  const shared = await startReplica(ingest.config.CARREL_HOME);
  await shared.stop();
  // The first replica still uses it.
  await expect(startReplica(otherHome)).rejects.toMatchObject({
    fault: { code: "vector-store.folder-elsewhere" },
  });
}, 60_000);

it("waits until the folder of a killed replica counts as unused", async () => {
  const folders = () => ingest.sql("SELECT folder FROM ingest.index_folder");
  await ingest.restart(async () => {
    expect(await folders()).toEqual([]);
    await ingest.sql(`INSERT INTO ingest.index_folder (replica, folder, seen_at)
      VALUES (gen_random_uuid(), 'another', clock_timestamp() - interval '13 seconds')`);
    // As a replica leaves it that was killed before it had written the name.
    await mkdir(path.join(otherHome, "index"), { recursive: true });
    await writeFile(path.join(otherHome, "index/folder-id"), "");
    const replica = await startReplica(otherHome);
    expect(await folders()).toEqual([{ folder: expect.stringMatching(/^[\da-f-]{36}$/) }]);
    await replica.stop();
  });
}, 60_000);
