import type { Principal } from "@carrel/contracts";
import { isThorough, poll, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { hostileFiles } from "../../test/fixtures/hostile-files.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

/** Parsing it takes minutes, so it never ends during a test. */
const { make: makeEndless } = hostileFiles.find(
  ({ filename }) => filename === "shared-content.pdf",
)!;
// fair-places.spec.ts and end-long-task.spec.ts test whose files are parsed, and which are ended.
const inThoroughRun = isThorough ? it : it.skip;
/** Files are parsed beside threads that use all CPU time. */
const timeoutMs = 120_000;

describe("files that take long", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_PARSE_THREADS: "1", CARREL_PARSE_SECONDS: "900" },
    });
  });
  afterAll(() => ingest.stop());

  const isStored = async (where: string, parameters: unknown[] = []): Promise<boolean> =>
    (await ingest.sql(`SELECT 1 FROM ingest.document WHERE ${where}`, parameters)).length > 0;
  const untilStored = (where: string, parameters: unknown[] = []): Promise<boolean> =>
    waitFor(() => isStored(where, parameters), { timeoutMs, what: where });
  const person = (userId: number): Principal => ({ kind: "user", userId, role: "default" });
  const readText = async (name: string, principal?: Principal): Promise<void> => {
    const text = `The ${name} rings bicycle bells. `.repeat(300);
    const id = await ingest.upload(1, name, text, {}, principal);
    await untilStored(`id = $1 AND state = 'parsed'`, [id]);
  };

  it(
    "are parsed by the queue of slow files",
    async () => {
      const id = await ingest.upload(1, "slow.txt", "The ferry sails at one.");
      await untilStored(`id = $1 AND state = 'parsed'`, [id]);
      // A slow file is left behind like this when Redis loses its data.
      await ingest.sql(
        `UPDATE ingest.document SET state = 'queued', is_slow = true, updated_at = now() - interval '1 minute' WHERE id = $1`,
        [id],
      );
      await untilStored(`id = $1 AND state = 'parsed' AND is_slow`, [id]);
    },
    timeoutMs,
  );

  it(
    "delay others by less than 2 s, however many they are",
    async () => {
      // Starts the first parsing thread.
      await readText("first.txt");
      const bytes = makeEndless();
      for (const n of [1, 2, 3]) await ingest.upload(2, `${n}.pdf`, bytes);
      await untilStored(`state = 'parsing'`);
      const before = process.cpuUsage();
      await readText("second.txt");
      const { user, system } = process.cpuUsage(before);
      // Both cores for 2 s, and as much again for a busy machine's slower caches; CPU time, because
      // that doesn't depend on what else the machine does.
      expect((user + system) / 1e6).toBeLessThan(8);
      // None has ended. The third only got a thread because the second left its own.
      await poll(
        () =>
          ingest.sql(
            `SELECT is_slow FROM ingest.document WHERE filename LIKE '%.pdf' AND state IN ('queued', 'parsing') ORDER BY is_slow`,
          ),
        { timeoutMs },
      ).toEqual([{ is_slow: false }, { is_slow: false }, { is_slow: true }]);
    },
    timeoutMs,
  );

  inThoroughRun(
    "of one person delay another in the same workspace as little, while a queue waits (npm run test:thorough)",
    async () => {
      const bytes = makeEndless();
      // More than are parsed or wait in a process at a time, so the last ones wait as jobs.
      const count = 24;
      for (let n = 0; n < count; n++) await ingest.upload(1, `anna-${n}.pdf`, bytes, {}, person(1));
      const before = process.cpuUsage();
      for (const name of ["third.txt", "fourth.txt"]) await readText(name, person(2));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(8);
      const left = await ingest.sql(
        `SELECT 1 FROM ingest.document WHERE filename LIKE 'anna-%' AND state IN ('queued', 'parsing')`,
      );
      expect(left).toHaveLength(count);
    },
    timeoutMs,
  );
});
