import { Worker } from "node:worker_threads";
import { stepOutput } from "@carrel/contracts";
import { z } from "zod";

/** A program, and what it gets. */
export interface Program {
  code: string;
  input: string;
  files: { name: string; text: string }[];
}

/** What a program has shown until it ended or was stopped. */
export interface ProgramResult {
  outcome: "done" | "timed-out" | "crashed";
  printed: string;
  /** The value of its last expression, as text; null if there is none. */
  value: string | null;
  /** Whether it printed more than is kept. */
  isCut: boolean;
  outputs: z.infer<typeof stepOutput>[];
  /** What it threw, with places in its code: line and column, from 1. */
  fault: { message: string; places: [line: number, column: number][] } | null;
}

const collected = z.object({
  printed: z.string(),
  value: z.string().nullable(),
  isCut: z.boolean(),
  outputs: z.array(stepOutput).max(10),
  fault: z
    .object({ message: z.string(), places: z.array(z.tuple([z.number(), z.number()])) })
    .nullable(),
});

interface Reply {
  outcome: "started" | "done" | "timed-out" | "crashed";
  collected: string | null;
  memoryBytes?: number;
}
interface Job {
  program: Program;
  signal: AbortSignal;
  resolve(result: ProgramResult): void;
  reject(fault: unknown): void;
}

export const codeLimits = {
  milliseconds: 10_000,
  memoryBytes: 128 * 1024 * 1024,
};
type Limits = typeof codeLimits;

/** Threads that run programs at the same time, in this process. */
const mostThreads = 2;
const mostWaiting = 64;
/** For a thread and the engine to start, on a busy machine. */
const startMs = 30_000;
/** After the engine's own limit: for loops inside it that don't look at the clock. */
const graceMs = 1_500;
const idleMs = 60_000;
/** A thread whose last program took more is ended, which frees the memory at once. */
const keptBytes = 48 * 1024 * 1024;
const stackSizeMb = 16;

/** Node runs .ts in development and tests (with types stripped), and .js from dist. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./code-worker.ts" : "./code-worker.js",
  import.meta.url,
);

/** More programs wait than will ever get their turn. */
export class CodePoolFullError extends Error {}

const emptyResult = (outcome: ProgramResult["outcome"]): ProgramResult => ({
  outcome,
  printed: "",
  value: null,
  isCut: false,
  outputs: [],
  fault: null,
});

/** Whatever the sandbox returns is checked: a program may have tampered with it. */
function readReply({ outcome, collected: json }: Reply): ProgramResult {
  const result = emptyResult(outcome === "started" ? "crashed" : outcome);
  if (json === null) return result;
  try {
    return { ...result, ...collected.parse(JSON.parse(json)) };
  } catch {
    return { ...result, outcome: "crashed" };
  }
}

/** Worker threads that run programs: started for the first one, ended when idle or misused. */
export class CodePool {
  private readonly idle: Worker[] = [];
  private readonly waiting: Job[] = [];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  constructor(private readonly limits: Limits = codeLimits) {}

  /** Rejects with the signal's reason once that is aborted, or CodePoolFullError. */
  run(program: Program, signal: AbortSignal): Promise<ProgramResult> {
    signal.throwIfAborted();
    if (this.waiting.length >= mostWaiting) throw new CodePoolFullError();
    return new Promise((resolve, reject) => {
      const job = { program, signal, resolve, reject };
      this.waiting.push(job);
      signal.addEventListener("abort", () => this.drop(job), { once: true });
      this.dispatch();
    });
  }

  /** Ends idle threads. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.all(this.idle.splice(0).map((worker) => worker.terminate()));
  }

  private drop(job: Job): void {
    const place = this.waiting.indexOf(job);
    if (place < 0) return; // `work` ends it
    this.waiting.splice(place, 1);
    job.reject(job.signal.reason);
  }

  private dispatch(): void {
    clearTimeout(this.timer);
    while (this.running < mostThreads && this.waiting.length > 0) {
      this.running++;
      void this.work(this.waiting.shift()!);
    }
    this.timer = setTimeout(() => void this.close(), idleMs).unref();
  }

  private async work(job: Job): Promise<void> {
    const worker = this.idle.pop() ?? startWorker();
    worker.ref();
    let isReusable = false;
    try {
      const reply = await this.ask(worker, job);
      isReusable = reply.outcome === "done" && (reply.memoryBytes ?? Infinity) <= keptBytes;
      job.resolve(readReply(reply));
    } catch (fault) {
      job.reject(fault);
    }
    if (isReusable) {
      worker.unref();
      this.idle.push(worker);
    } else await worker.terminate();
    this.running--;
    this.dispatch();
  }

  /** Has one program run; its time starts when the thread does, not while it waits. */
  private async ask(worker: Worker, { program, signal }: Job): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>();
    let late: NodeJS.Timeout;
    const stopAfter = (milliseconds: number): void => {
      clearTimeout(late);
      late = setTimeout(
        () => reply.resolve({ outcome: "timed-out", collected: null }),
        milliseconds + graceMs,
      );
    };
    const onMessage = (message: Reply): void => {
      if (message.outcome === "started") stopAfter(this.limits.milliseconds);
      else reply.resolve(message);
    };
    const onEnd = (): void => reply.resolve({ outcome: "crashed", collected: null });
    const onAbort = (): void => reply.reject(signal.reason);
    stopAfter(startMs);
    worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      worker.postMessage({ ...program, limits: this.limits });
      return await reply.promise;
    } finally {
      clearTimeout(late!);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
    }
  }
}

function startWorker(): Worker {
  const worker = new Worker(workerFile, {
    execArgv: [],
    argv: [],
    env: {},
    name: "code",
    resourceLimits: { stackSizeMb, maxOldGenerationSizeMb: 256 },
  });
  // A thread that fails while nothing runs on it must not end the process.
  worker.on("error", () => undefined);
  return worker;
}
