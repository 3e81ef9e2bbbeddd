import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { ProviderError } from "../spec/provider-error.ts";
import { endThread } from "./end-thread.ts";

export interface EmbedderFiles {
  modelPath: string;
  tokenizerPath: string;
  maxTokens: number;
}

interface Batch {
  texts: string[];
  signal: AbortSignal;
  resolve(vectors: Float32Array[]): void;
  reject(fault: Error): void;
}
interface Reply {
  id: number;
  vectors?: Float32Array;
  dimensions?: number;
  fault?: string;
}
interface Thread {
  worker: Worker;
  batch: Batch | null;
}

/** Node runs .ts in development and tests (with types stripped), and .js from dist. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./embedder-worker.ts" : "./embedder-worker.js",
  import.meta.url,
);
/** The model is unloaded after this idle time. */
const idleMs = 10 * 60_000;
/**
 * Texts of one run are padded to the longest. The limit on their total characters keeps a
 * question's wait to tens of milliseconds.
 */
const batchCharacters = 1_200;
const batchTexts = 8;

/** Groups texts of similar length, because padding costs compute too. Returns their indexes. */
export function groupByLength(texts: string[]): number[][] {
  const order = texts.map((_, place) => place).sort((a, b) => texts[a]!.length - texts[b]!.length);
  const groups: number[][] = [];
  let group: number[] = [];
  for (const place of order) {
    const padded = (group.length + 1) * texts[place]!.length;
    if (group.length > 0 && (group.length >= batchTexts || padded > batchCharacters)) {
      groups.push(group);
      group = [];
    }
    group.push(place);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

const cancelled = (): ProviderError =>
  new ProviderError({ code: "provider.cancelled" }, { kind: "aborted" });

const stopped = (fault: Error): ProviderError =>
  new ProviderError(
    { code: "embedder.stopped", params: { details: fault.message } },
    { kind: "server", cause: fault },
  );

/**
 * Worker threads that hold the model: started for the first text, stopped when idle. Questions go
 * before passages.
 */
export class EmbedderPool {
  private readonly threads: Thread[] = [];
  private readonly questions: Batch[] = [];
  private readonly passages: Batch[] = [];
  private idle: NodeJS.Timeout | undefined;
  private next = 0;
  constructor(
    private readonly files: EmbedderFiles,
    private readonly size = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
  ) {}

  async embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    if (signal.aborted) throw cancelled();
    const vectors = new Array<Float32Array>(texts.length);
    await Promise.all(
      groupByLength(texts).map(async (places) => {
        const part = await new Promise<Float32Array[]>((resolve, reject) => {
          const batch: Batch = {
            texts: places.map((place) => texts[place]!),
            signal,
            resolve,
            reject,
          };
          (kind === "query" ? this.questions : this.passages).push(batch);
          this.dispatch();
        });
        places.forEach((place, index) => {
          vectors[place] = part[index]!;
        });
      }),
    );
    return vectors;
  }

  private dispatch(): void {
    clearTimeout(this.idle);
    for (let queue = this.nextQueue(); queue; queue = this.nextQueue()) {
      if (queue[0]!.signal.aborted) {
        queue.shift()!.reject(cancelled());
        continue;
      }
      const thread =
        this.threads.find(({ batch }) => batch === null) ??
        (this.threads.length < this.size ? this.start() : undefined);
      if (!thread) return;
      thread.batch = queue.shift()!;
      thread.worker.ref();
      thread.worker.postMessage({ id: this.next++, texts: thread.batch.texts });
    }
    this.idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  private nextQueue(): Batch[] | undefined {
    return [this.questions, this.passages].find((queue) => queue.length > 0);
  }

  private start(): Thread {
    const worker = new Worker(workerFile, {
      workerData: this.files,
      execArgv: [],
      name: "embedder",
    });
    const thread: Thread = { worker, batch: null };
    this.threads.push(thread);
    worker.on("message", ({ vectors, dimensions = 0, fault }: Reply) => {
      const batch = thread.batch;
      thread.batch = null;
      worker.unref();
      if (batch && vectors)
        batch.resolve(
          batch.texts.map((_, row) => vectors.subarray(row * dimensions, (row + 1) * dimensions)),
        );
      else
        batch?.reject(
          new ProviderError(
            { code: "embedder.failed", params: { details: fault ?? "no answer" } },
            { kind: "server", isRetryable: false },
          ),
        );
      this.dispatch();
    });
    const lost = (fault: Error) => {
      const place = this.threads.indexOf(thread);
      if (place >= 0) this.threads.splice(place, 1);
      thread.batch?.reject(stopped(fault));
      thread.batch = null;
      // An unreadable model file stops every thread immediately: waiting batches fail instead of
      // retrying forever.
      if (this.threads.length === 0)
        for (const queue of [this.questions, this.passages])
          for (const batch of queue.splice(0)) batch.reject(stopped(fault));
    };
    worker.on("error", lost);
    worker.on("exit", (code) => lost(new Error(`thread ended with ${code}`)));
    return thread;
  }

  /**
   * Stops the threads, each after its current batch; the next text starts them again. Waiting texts
   * are rejected if their caller has aborted them.
   */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    await Promise.all(this.threads.splice(0).map(({ worker }) => endThread(worker)));
  }
}
