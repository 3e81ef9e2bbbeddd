import { createLogger } from "@carrel/observability";
import { expect } from "@jest/globals";
import type { IngestConfig } from "../src/ingest.config.ts";
import { WorkerPool } from "../src/work-pool/worker-pool.ts";
import { hostileFiles } from "./fixtures/hostile-files.ts";

/** Each test uses up to 8 s of CPU time, which takes up to a minute on a busy machine. */
export const timeoutMs = 120_000;

const pools: WorkerPool[] = [];
export function makePool(limits: { seconds: number; megabytes: number }): WorkerPool {
  const config = {
    CARREL_PARSE_THREADS: 1,
    CARREL_OCR_THREADS: 1,
    CARREL_PARSE_SECONDS: limits.seconds,
    CARREL_PARSE_MEMORY: limits.megabytes,
  } as IngestConfig;
  pools.push(new WorkerPool(config, createLogger("test", "silent")));
  return pools.at(-1)!;
}
export const task = (filename: string, text: string) => ({
  bytes: new Uint8Array(Buffer.from(text)),
  filename,
  title: filename,
  mime: null,
  chunking: { size: 1000, overlap: 20 },
  recognition: null,
  split: true,
});
/** Takes minutes to parse; each page takes longer the more megabytes it has. */
export const endless = (megabytes = 1) => ({
  ...task("endless.pdf", ""),
  bytes: new Uint8Array(
    hostileFiles.find(({ filename }) => filename === "shared-content.pdf")!.make(megabytes),
  ),
});
export const stopPools = async (): Promise<void> => {
  await Promise.all(pools.splice(0).map((pool) => pool.onApplicationShutdown()));
};

/** Returns the only text of a file that needs no further work. */
export async function parseOne(pool: WorkerPool, filename: string, text: string) {
  const result = await pool.parse(task(filename, text));
  if ("work" in result) throw new Error(`needs ${result.work}`);
  expect(result.texts).toHaveLength(1);
  return result.texts[0]!.text;
}
