import { createLogger } from "@carrel/observability";
import { poll } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { hostileFiles } from "../../test/fixtures/hostile-files.ts";
import { makeUnpackingPdf } from "../../test/fixtures/make-pdf.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { WorkerPool } from "./worker-pool.ts";

/** Each test uses up to 8 s of CPU time, which takes up to a minute on a busy machine. */
const timeoutMs = 120_000;

const pools: WorkerPool[] = [];
function makePool(limits: { seconds: number; megabytes: number }): WorkerPool {
  const config = {
    CARREL_PARSE_THREADS: 1,
    CARREL_OCR_THREADS: 1,
    CARREL_PARSE_SECONDS: limits.seconds,
    CARREL_PARSE_MEMORY: limits.megabytes,
  } as IngestConfig;
  pools.push(new WorkerPool(config, createLogger("test", "silent")));
  return pools.at(-1)!;
}
const task = (filename: string, text: string) => ({
  bytes: new Uint8Array(Buffer.from(text)),
  filename,
  title: filename,
  mime: null,
  chunking: { size: 1000, overlap: 20 },
  recognition: null,
  split: true,
});
/** Takes minutes to parse. */
const endless = () => ({
  ...task("endless.pdf", ""),
  bytes: new Uint8Array(
    hostileFiles.find(({ filename }) => filename === "shared-content.pdf")!.make(),
  ),
});
/** Returns the only text of a file that needs no further work. */
async function parseOne(pool: WorkerPool, filename: string, text: string) {
  const result = await pool.parse(task(filename, text));
  if ("work" in result) throw new Error(`needs ${result.work}`);
  expect(result.texts).toHaveLength(1);
  return result.texts[0]!.text;
}

describe("WorkerPool", () => {
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.onApplicationShutdown()));
  });

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
    "ends a document that takes too long, and times the next one from its own start",
    async () => {
      const begun = performance.now();
      await parseOne(makePool({ seconds: 60, megabytes: 512 }), "first.txt", "Here.");
      // A busy machine takes long to start a thread, too.
      const seconds = Math.max(4, Math.ceil((4 * (performance.now() - begun)) / 1000));
      const pool = makePool({ seconds, megabytes: 2048 });
      const slow = pool.parse(endless());
      const behind = parseOne(pool, "next.txt", "Still here.");
      await expect(slow).rejects.toMatchObject({
        name: "UnreadableError",
        message: `Parsing took longer than the limit of ${seconds} s.`,
      });
      expect((await behind).parts[0]!.text).toBe("Still here.");
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
    "leaves one of a person's long documents a place, once others wait",
    async () => {
      const pool = makePool({ seconds: 900, megabytes: 2048 });
      const ended: string[] = [];
      const parseEndless = (owner: string): Promise<unknown> =>
        pool.parse(endless(), { owner }).then(
          () => ended.push(owner),
          () => null,
        );
      // They just fill the regular and extra threads, so none has to end yet.
      const running = ["anna", "anna"].map(parseEndless);
      running.push(parseEndless("bob"));
      const next = await pool.parse(task("next.txt", "Still here."), { owner: "cleo" });
      expect(next).toMatchObject({ texts: [{ text: { textLength: 11 } }] });
      running.push(parseEndless("dora"), parseEndless("emil"));
      await poll(() => ended, { timeoutMs }).toContain("anna");
      await parseOne(pool, "last.txt", "Still here.");
      // However many tasks other owners have.
      expect(ended.filter((owner) => owner === "anna")).toHaveLength(1);
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
          task("wide.csv", `a,b,c\n${"1,2,3\n".repeat(1_000_000)}`),
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
