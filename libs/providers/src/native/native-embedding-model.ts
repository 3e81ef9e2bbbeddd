import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { KnownFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import {
  nameVectorSpace,
  type EmbeddingModel,
  type LocalModelFiles,
  type LocalModelState,
} from "../spec/embedding-model.ts";
import { ProviderError, type ProviderErrorOptions } from "../spec/provider-error.ts";
import { defaultHub, downloadModel, findModelFiles } from "./download-model.ts";
import { endThread } from "./end-thread.ts";
import type { NativeModel } from "./native-models.ts";

const firstRetryMs = 60_000;
const longestRetryMs = 30 * 60_000;

/** One model in this process: its state, its download and its threads. */
class NativeRuntime {
  state: LocalModelState;
  private pool: EmbedderPool | undefined;
  private download: Promise<void> | undefined;
  private failures = 0;
  constructor(
    private readonly model: NativeModel,
    private readonly modelsDir: string,
    private readonly hub: string | null,
  ) {
    this.state =
      hub === null
        ? {
            status: "off",
            fault: { code: "embedder.downloads-disabled" },
            progress: null,
            retryAt: null,
          }
        : {
            status: "missing",
            fault: { code: "embedder.not-downloaded" },
            progress: null,
            retryAt: null,
          };
  }

  /** Checks the folder without starting anything. */
  async look(): Promise<LocalModelState> {
    if (
      this.state.status !== "downloading" &&
      this.state.status !== "ready" &&
      (await findModelFiles(this.modelsDir, this.model))
    )
      this.setReady();
    return this.state;
  }

  private setReady(): void {
    this.failures = 0;
    this.state = {
      status: "ready",
      fault: null,
      progress: null,
      retryAt: null,
    };
  }

  /**
   * Resolves when the files are there, joining a running download. Throws ProviderError while they
   * are unavailable.
   */
  async ensure(signal: AbortSignal): Promise<void> {
    if ((await this.look()).status === "ready") return;
    if (this.hub === null) throw this.unavailable({ isRetryable: false });
    if (!this.download) {
      if (this.state.retryAt !== null && Date.now() < this.state.retryAt)
        throw this.unavailable({ retryAfterMs: this.state.retryAt - Date.now() });
      this.download = this.fetchModel(this.hub).finally(() => {
        this.download = undefined;
      });
      // Callers waiting below get the error; if there are none, the state reports it.
      this.download.catch(() => undefined);
    }
    await untilAborted(this.download, signal);
  }

  private async fetchModel(hub: string): Promise<void> {
    this.state = {
      status: "downloading",
      fault: { code: "embedder.downloading" },
      progress: 0,
      retryAt: null,
    };
    try {
      await downloadModel(this.modelsDir, this.model, {
        // Continues if the job that requested it is cancelled, because everyone needs the model.
        hub,
        signal: AbortSignal.timeout(40 * 60_000),
        onProgress: (progress) => {
          this.state = { ...this.state, progress };
        },
      });
      this.setReady();
    } catch (fault) {
      const retryIn = Math.min(longestRetryMs, firstRetryMs * 2 ** this.failures++);
      const reason: KnownFault =
        fault instanceof EgressError
          ? fault.fault
          : { code: "egress.unexpected-response", params: { host: new URL(hub).host } };
      this.state = {
        status: "missing",
        progress: null,
        retryAt: Date.now() + retryIn,
        fault: {
          code: "embedder.download-failed",
          params: { reason, minutes: Math.round(retryIn / 60_000) },
        },
      };
      throw this.unavailable({ retryAfterMs: retryIn, cause: fault });
    }
  }

  unavailable(
    options: Pick<ProviderErrorOptions, "isRetryable" | "retryAfterMs" | "cause"> = {},
  ): ProviderError {
    const fault = this.state.fault ?? { code: "embedder.model-missing" };
    return new ProviderError(fault, { kind: "unreachable", ...options });
  }

  async embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    if (!this.pool) {
      const files = await findModelFiles(this.modelsDir, this.model);
      if (!files) {
        this.state = {
          ...this.state,
          status: this.hub === null ? "off" : "missing",
          fault: { code: "embedder.model-missing" },
        };
        throw this.unavailable();
      }
      this.pool ??= new EmbedderPool({ ...files, maxTokens: this.model.maxTokens });
    }
    return this.pool.embed(texts, kind, signal);
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(aborted());
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(aborted());
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
const aborted = (): ProviderError =>
  new ProviderError({ code: "provider.cancelled" }, { kind: "aborted" });

/**
 * By folder, model and hub, so that all EmbeddingModels of a process share threads and download.
 */
const runtimes = new Map<string, NativeRuntime>();
function runtimeOf(modelsDir: string, model: NativeModel, hub: string | null): NativeRuntime {
  const key = JSON.stringify([modelsDir, model.id, hub]);
  const runtime = runtimes.get(key) ?? new NativeRuntime(model, modelsDir, hub);
  runtimes.set(key, runtime);
  return runtime;
}

/** Stops all embedder threads; the next text starts them again. */
export async function closeNativeEmbedders(): Promise<void> {
  await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
}

/**
 * Passages wait for the model's download. Questions don't: search continues with full text only.
 */
export class NativeEmbeddingModel implements EmbeddingModel {
  readonly provider = "native";
  readonly model: string;
  readonly vectorSpace: string;
  readonly files: LocalModelFiles;
  readonly dimensions: number;
  readonly maxInputCharacters: number;
  readonly batchSize = 64;
  private readonly runtime: NativeRuntime;
  constructor(
    private readonly native: NativeModel,
    modelsDir: string,
    hub: string | null = defaultHub,
  ) {
    this.model = native.id;
    this.dimensions = native.dimensions;
    this.maxInputCharacters = native.maxInputCharacters;
    this.vectorSpace = nameVectorSpace(this.provider, native.id);
    const runtime = runtimeOf(modelsDir, native, hub);
    this.runtime = runtime;
    this.files = { state: () => runtime.look(), ensure: (signal) => runtime.ensure(signal) };
  }

  async embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    if (signal.aborted) throw aborted();
    if (kind === "passage") await this.runtime.ensure(signal);
    else if ((await this.runtime.look()).status !== "ready") throw this.runtime.unavailable();
    const prefix = kind === "query" ? this.native.queryPrefix : this.native.passagePrefix;
    return this.runtime.embed(
      texts.map((text) => prefix + text),
      kind,
      signal,
    );
  }
}

interface EmbedderFiles {
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
