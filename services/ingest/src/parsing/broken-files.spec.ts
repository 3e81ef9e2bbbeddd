import { createLogger } from "@carrel/observability";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { makeScanBomb } from "../../test/fixtures/bombs.ts";
import { type BrokenFile } from "../../test/fixtures/broken-file.ts";
import { makeBrokenFiles } from "../../test/fixtures/broken-files.ts";
import { makeWholeFiles } from "../../test/fixtures/whole-files.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";

process.env.CARREL_LIBREOFFICE = "/nonexistent";
const recognition = { languages: ["eng"], dataFolder: null, maxPages: 5 };
let pool: WorkerPool;
let files: BrokenFile[];

/**
 * Returns what a user would see, parsing in the threads with their limits and, if needed, OCR, as
 * for an uploaded document.
 */
async function outcomeOf({
  filename,
  bytes,
}: {
  filename: string;
  bytes: Buffer;
}): Promise<string> {
  const task = () => ({
    bytes: new Uint8Array(bytes),
    filename,
    title: filename,
    mime: null,
    chunking: { size: 1000, overlap: 20 },
    recognition: null,
    split: true,
  });
  try {
    const first = await pool.parse(task());
    if (!("work" in first)) return `read: ${first.texts[0]!.text.parts[0]!.text.slice(0, 100)}`;
    if (first.work === "transcription")
      return "Recordings need a transcription provider, and none is set up. Choose one in the settings (WhisperProvider), then try again.";
    const second = await pool.parse({ ...task(), recognition }, { pages: first.pages });
    return "work" in second
      ? `still needs ${second.work}`
      : `read: ${second.texts[0]!.text.parts[0]!.text.slice(0, 100)}`;
  } catch (fault) {
    // Anything but an UnreadableError would be retried and end as "A processing error occurred."
    return (fault as Error).name === "UnreadableError"
      ? (fault as Error).message
      : `fault: ${String(fault)}`;
  }
}

describe("broken files", () => {
  beforeAll(async () => {
    pool = new WorkerPool(
      {
        CARREL_PARSE_THREADS: 2,
        CARREL_OCR_THREADS: 1,
        CARREL_PARSE_SECONDS: 120,
        CARREL_PARSE_MEMORY: 768,
      } as IngestConfig,
      createLogger("test", "silent"),
    );
    files = await makeBrokenFiles();
  }, 120_000);
  afterAll(() => pool.onApplicationShutdown());

  it("are distinguished, each with a plain reason", async () => {
    expect(files.length).toBeGreaterThanOrEqual(100);
    const outcomes = await Promise.all(
      files.map(async (file) => ({ filename: file.filename, outcome: await outcomeOf(file) })),
    );
    expect(outcomes).toEqual(files.map(({ filename, reason }) => ({ filename, outcome: reason })));
  }, 120_000); // over a hundred files, some of which need text recognition

  it("never cause an internal error, wherever the bytes are damaged", async () => {
    let state = 7;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
      return state % below;
    };
    const hit = (whole: Buffer): Buffer => {
      const copy = Buffer.from(whole);
      for (let i = 0; i < 4; i++) {
        const at = random(copy.length);
        if (random(2) === 0) copy[at] = random(256);
        else copy.copy(copy, at, random(copy.length), Math.min(copy.length, at + random(200)));
      }
      return random(4) === 0 ? copy.subarray(0, random(copy.length)) : copy;
    };
    const whole = Object.entries(await makeWholeFiles()).filter(
      ([extension]) => !["png", "jpg", "webp", "gif", "tiff", "bmp"].includes(extension),
    );
    const outcomes = await Promise.all(
      whole.flatMap(([extension, bytes]) =>
        Array.from({ length: 15 }, () =>
          outcomeOf({ filename: `hit.${extension}`, bytes: hit(bytes) }),
        ),
      ),
    );
    expect(outcomes.filter((words) => words.startsWith("fault"))).toEqual([]);
    expect(outcomes.filter((words) => !words.startsWith("read")).length).toBeGreaterThan(40);
  }, 60_000); // fifteen damaged copies of a file of each format

  it("don't affect later files: the same threads parse an intact file", async () => {
    expect(await outcomeOf({ filename: "whole.txt", bytes: Buffer.from("All is well.") })).toBe(
      "read: All is well.",
    );
  }, 60_000);

  it("leave a scan that claims a huge size blank, in bounded memory", async () => {
    expect(await outcomeOf({ filename: "scan.pdf", bytes: makeScanBomb() })).toBe(
      "No text content found in scan.pdf.",
    );
  }, 60_000);
});
