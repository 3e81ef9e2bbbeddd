import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

const lookEveryMs = 5;
/**
 * Longest time that this thread computes at a stretch, in ms. CPU time, because on a busy machine the
 * thread also waits for a core.
 */
function watchStalls(): () => number {
  let longest = 0;
  const now = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = now();
  const look = (): void => {
    const after = now();
    longest = Math.max(longest, after - before);
    before = after;
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    look();
    return longest;
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
      expect(stop()).toBeLessThan(100);
    },
    90_000,
  );
});
