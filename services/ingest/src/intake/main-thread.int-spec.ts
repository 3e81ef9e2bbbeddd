import {
  constants,
  performance,
  PerformanceObserver,
  type PerformanceEntry,
} from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

const lookEveryMs = 5;
const { NODE_PERFORMANCE_GC_MINOR: minor } = constants;
type Collection = PerformanceEntry & { detail: { kind: number } };

/**
 * Longest time that this thread computes at a stretch, in ms. CPU time, because on a busy machine the
 * thread also waits for a core. Without full garbage collections: they take as long as everything
 * that other tests keep in this process requires.
 */
function watchStalls(): () => Promise<number> {
  const stretches: { start: number; end: number; ms: number }[] = [];
  const collections: Collection[] = [];
  const note = (entries: PerformanceEntry[]): void => {
    for (const entry of entries as Collection[])
      if (entry.detail.kind !== minor) collections.push(entry);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const computed = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = { at: performance.now(), ms: computed() };
  const look = (): void => {
    const now = { at: performance.now(), ms: computed() };
    stretches.push({ start: before.at, end: now.at, ms: now.ms - before.ms });
    before = now;
  };
  const timer = setInterval(look, lookEveryMs);
  return async () => {
    clearInterval(timer);
    look();
    await setImmediate(); // entries are queued until then
    note(observer.takeRecords());
    observer.disconnect();
    const collecting = (start: number, end: number): number =>
      collections
        .filter(({ startTime }) => startTime >= start && startTime < end)
        .reduce((sum, { duration }) => sum + duration, 0);
    return Math.max(...stretches.map(({ start, end, ms }) => ms - collecting(start, end)));
  };
}

const megabyte = 1_000_000;
/** Files stored as quotation marks and backslashes, which have to be quoted. */
const files: Record<string, string> = {
  "quotes.csv": `a,b\n1,"${'""'.repeat(2 * megabyte)}"`,
  "backslashes.txt": `The bell. ${"\\".repeat(2 * megabyte)}`,
  // Short enough to be split and published at once.
  "headings.md": `# ${'"'.repeat(300)}\n\nThe bell.\n\n`.repeat(1_000),
  "keys.json": `{"${"\\\\".repeat(500)}":[${"1,".repeat(megabyte / 10)}1]}`,
  "columns.csv": `${"a,".repeat(megabyte / 2)}\n${"1,".repeat(megabyte / 2)}`,
};

describe("the main thread", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ embedder: false });
    const id = await ingest.upload(1, "first.txt", "The bell rings at eight.");
    await ingest.until(1, id, "searchable", "embedding", "embedded");
  });
  afterAll(() => ingest.stop());

  it.each(Object.entries(files))(
    "is never held up by %s",
    async (filename, content) => {
      const stop = watchStalls();
      const id = await ingest.upload(1, filename, content);
      const [stored] = await waitFor(
        async () => {
          const rows = await ingest.sql<{ state: string; text_length: number }>(
            "SELECT state, text_length FROM ingest.document WHERE id = $1 AND state = 'parsed'",
            [id],
          );
          return rows.length > 0 && rows;
        },
        { timeoutMs: 60_000, what: filename },
      );
      expect(stored!.text_length).toBeGreaterThan(10_000);
      // No request waits longer for it.
      expect(await stop()).toBeLessThan(100);
    },
    90_000,
  );
});
