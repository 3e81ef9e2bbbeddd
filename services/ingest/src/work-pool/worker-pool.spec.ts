import { poll } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { makeUnpackingPdf } from "../../test/fixtures/make-pdf.ts";
import { endless, makePool, parseOne, stopPools, task, timeoutMs } from "../../test/test-pools.ts";

describe("WorkerPool", () => {
  afterEach(stopPools);

  it("starts no thread once the service has stopped", async () => {
    const pool = makePool({ seconds: 60, megabytes: 512 });
    await pool.onApplicationShutdown();
    await expect(parseOne(pool, "a.md", "# Bells")).rejects.toMatchObject({
      code: "request.stopping",
    });
  });

  it(
    "returns the text, chunks, words and tokens of a file, or the reason why it is unreadable",
    async () => {
      const pool = makePool({ seconds: 60, megabytes: 512 });
      const text = await parseOne(pool, "a.md", "# Bells\n\nWe make bicycle bells. 我们做铃铛。");
      expect(text).toMatchObject({
        mime: "text/markdown",
        headings: [{ start: 0, level: 1, title: "Bells" }],
        textLength: 38,
        wordCount: 10,
        parts: [{ start: 0 }],
      });
      expect(text.tokenCount).toBeGreaterThan(10);
      expect(text.chunks).toHaveLength(1);
      expect(text.chunks![0]).toMatchObject({
        start: 0,
        end: 38,
        page: null,
        headingPath: ["Bells"],
      });
      expect(text.chunks![0]!.contentHash).toHaveLength(32);
      await expect(pool.parse(task("empty.txt", " "))).rejects.toMatchObject({
        message: "No text content found in empty.txt.",
      });
    },
    timeoutMs,
  );

  it(
    "ends documents that take too long, each timed from its own start",
    async () => {
      const pool = makePool({ seconds: 2, megabytes: 2048 });
      const begun = performance.now();
      // Each page extends the limit by 100 ms, and takes much longer on any machine.
      const files = [endless(10), endless(10)];
      const endings = await Promise.allSettled(files.map((file) => pool.parse(file)));
      const late = {
        name: "UnreadableError",
        message: "Parsing took longer than the limit of 2 s.",
      };
      expect(endings).toMatchObject([{ reason: late }, { reason: late }]);
      // The second one waited until the first had used 750 ms of CPU time.
      expect(performance.now() - begun).toBeGreaterThan(2_700);
    },
    timeoutMs,
  );

  it(
    "ends documents that take long for others, but not those that are known to be slow",
    async () => {
      const pool = makePool({ seconds: 900, megabytes: 2048 });
      const ended: unknown[] = [];
      const parseEndless = (isSlow: boolean): Promise<unknown> =>
        pool.parse(endless(), { isSlow }).then(
          (result) => ended.push(result),
          () => null,
        );
      const running = [true, false, false, false].map(parseEndless);
      for (const name of ["next.txt", "last.txt"])
        expect((await parseOne(pool, name, "Still here.")).parts[0]!.text).toBe("Still here.");
      // There is one regular thread, and an extra one for the first file: only the second file has
      // to end, to make room for the third.
      await poll(() => ended, { timeoutMs }).toEqual([{ work: "slow-parsing", pages: 0 }]);
      await pool.onApplicationShutdown();
      await Promise.all(running);
    },
    timeoutMs,
  );

  it(
    "ends a document that takes too much memory",
    async () => {
      await expect(
        makePool({ seconds: 900, megabytes: 64 }).parse(
          task("wide.csv", `a,b,c\n${"1,2,3\n".repeat(4_000_000)}`),
        ),
      ).rejects.toMatchObject({
        name: "UnreadableError",
        message: "Parsing the document would exceed the memory limit (64 MB).",
      });
    },
    timeoutMs,
  );

  it(
    "ends a PDF that unpacks beyond the limit outside the heap, and parses the next file",
    async () => {
      const pool = makePool({ seconds: 900, megabytes: 64 });
      await expect(
        pool.parse({ ...task("bomb.pdf", ""), bytes: new Uint8Array(makeUnpackingPdf(300)) }),
      ).rejects.toMatchObject({
        name: "UnreadableError",
        message: "Parsing the document would exceed the memory limit (64 MB).",
      });
      expect((await parseOne(pool, "next.txt", "Still here.")).parts[0]!.text).toBe("Still here.");
    },
    timeoutMs,
  );
});
