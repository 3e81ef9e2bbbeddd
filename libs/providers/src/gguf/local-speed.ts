import { Worker } from "node:worker_threads";
import { freeMemory } from "./gguf-memory.ts";
import type { GgufModel } from "./gguf-models.ts";
import type { GgufFigures } from "./gguf-protocol.ts";
import { defaultThreads } from "./local-models.ts";

/** What the processor and memory of this machine can do, with the threads that a model gets. */
export interface MachineSpeed {
  /** Bytes copied in memory per second, which limits how fast answers are written. */
  bandwidth: number;
  /** Multiplications per second in plain JavaScript, for the speed of reading prompts. */
  arithmetic: number;
}

/** Tokens per second. */
export interface TokenSpeed {
  answer: number;
  prompt: number;
}

const measureMs = 350;
const megabyte = 1024 * 1024;
/** For all threads together, which is more than most processors' caches. */
const testBytes = 256 * megabyte;
/** Fewer threads saturate the memory of most machines, and each of them takes memory itself. */
const mostThreads = 16;
/** With less, the test might cost another process its memory. */
const leastFree = 3 * testBytes;

const measure = (copiedBytes: number): string => `
const { parentPort } = require("node:worker_threads");
const until = performance.now() + ${measureMs};
const from = Buffer.alloc(${copiedBytes}, 1), to = Buffer.alloc(${copiedBytes});
from.copy(to);
let begun = performance.now(), copied = 0;
while (performance.now() < until || copied === 0) { from.copy(to); copied += ${copiedBytes}; }
const bandwidth = copied / ((performance.now() - begun) / 1000);
const values = new Float32Array(4096).fill(1.0001);
const end = performance.now() + ${measureMs};
begun = performance.now();
let done = 0, sum = 0;
while (performance.now() < end || done === 0) {
  let a = 0, b = 0, c = 0, d = 0;
  for (let n = 0; n < 4096; n += 4) {
    a += values[n] * 1.1; b += values[n + 1] * 1.1; c += values[n + 2] * 1.1; d += values[n + 3] * 1.1;
  }
  sum += a + b + c + d;
  done += 4096;
}
parentPort.postMessage({ bandwidth, arithmetic: done / ((performance.now() - begun) / 1000), sum });
`;

const measureThread = (copiedBytes: number): Promise<MachineSpeed> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(measure(copiedBytes), {
      eval: true,
      execArgv: [],
      name: "machine-speed",
    });
    worker.once("message", resolve);
    worker.once("error", reject);
  });

/** How many threads measure, and how much each copies at a time. */
export function planMeasurement(threads: number): { measuring: number; copiedBytes: number } {
  const measuring = Math.min(threads, mostThreads);
  // Each thread copies from one place to another.
  return { measuring, copiedBytes: Math.floor(testBytes / measuring / 2) };
}

async function measureThreads(threads: number): Promise<MachineSpeed> {
  const { measuring, copiedBytes } = planMeasurement(threads);
  const measured = await Promise.all(
    Array.from({ length: measuring }, () => measureThread(copiedBytes)),
  );
  const arithmetic = measured.reduce((sum, each) => sum + each.arithmetic, 0);
  return {
    bandwidth: measured.reduce((sum, { bandwidth }) => sum + bandwidth, 0),
    // Unlike memory, which all threads share.
    arithmetic: (arithmetic * threads) / measuring,
  };
}

/** When the test is worth repeating: other work may have slowed the last one. */
const staleMs = 10 * 60_000;

/** Keeps the best figures of a machine that may be busy during a test. */
export class SpeedTest {
  private best: MachineSpeed | null = null;
  private measuredAt = -Infinity;
  private running: Promise<MachineSpeed | null> | null = null;

  constructor(
    private readonly machine: {
      measure(): Promise<MachineSpeed>;
      /** Bytes of memory. */
      free(): number;
      now(): number;
    },
  ) {}

  /**
   * What is known, or else the first test's result; null if there has been none, because memory is
   * short or it failed. Starts another test if the last one is ten minutes old.
   */
  async read(): Promise<MachineSpeed | null> {
    const { free, now } = this.machine;
    if (this.running === null && now() - this.measuredAt >= staleMs && free() >= leastFree)
      this.running = this.measure();
    return this.best ?? this.running;
  }

  private async measure(): Promise<MachineSpeed | null> {
    try {
      const { bandwidth, arithmetic } = await this.machine.measure();
      this.best = {
        bandwidth: Math.max(bandwidth, this.best?.bandwidth ?? 0),
        arithmetic: Math.max(arithmetic, this.best?.arithmetic ?? 0),
      };
    } catch {
      // Without figures, models are offered without their speeds.
    }
    this.measuredAt = this.machine.now();
    this.running = null;
    return this.best;
  }
}

const speedTest = new SpeedTest({
  measure: () => measureThreads(defaultThreads()),
  free: () => freeMemory(),
  now: () => performance.now(),
});

/** A test of this machine in threads, which takes about a second. */
export const measureMachine = (): Promise<MachineSpeed | null> => speedTest.read();

/** Answers read the whole file for each token, somewhat slower than a plain copy does. */
const readShare = 0.7;
/** llama.cpp's vector instructions compared with plain JavaScript, as measured with one small model. */
const vectorGain = 100;
/** Reading is faster than writing by at least this factor, because it computes many tokens at once. */
const readingGain = 3;

/** An estimate; other work on the machine, and long conversations, make models slower. */
export function estimateSpeed(
  { size, parameters }: Pick<GgufModel, "size" | "parameters">,
  { bandwidth, arithmetic }: MachineSpeed,
): TokenSpeed {
  const prompt = (arithmetic * vectorGain) / (2 * parameters);
  return { answer: Math.min((bandwidth * readShare) / size, prompt / readingGain), prompt };
}

const remembered = 8;
const latest = new Map<string, GgufFigures[]>();

export function noteSpeed(file: string, figures: GgufFigures): void {
  latest.set(file, [...(latest.get(file) ?? []).slice(1 - remembered), figures]);
}

const perSecond = (
  figures: readonly GgufFigures[],
  tokensOf: (figures: GgufFigures) => number,
  msOf: (figures: GgufFigures) => number,
): number => {
  const tokens = figures.reduce((sum, each) => sum + tokensOf(each), 0);
  const ms = figures.reduce((sum, each) => sum + msOf(each), 0);
  return ms > 0 ? (tokens * 1_000) / ms : 0;
};

/** The speed of the model's last answers in this process; null before its first. */
export function measuredSpeed(file: string): TokenSpeed | null {
  const figures = latest.get(file);
  if (figures === undefined) return null;
  return {
    answer: perSecond(
      figures,
      ({ answerTokens }) => answerTokens,
      ({ answerMs }) => answerMs,
    ),
    prompt: perSecond(
      figures,
      ({ promptTokens, cachedTokens }) => promptTokens - cachedTokens,
      ({ promptMs }) => promptMs,
    ),
  };
}
