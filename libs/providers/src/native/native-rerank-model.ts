import { Worker } from "node:worker_threads";
import type { KnownFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import type { RerankModel, RerankText } from "../spec/rerank-model.ts";
import { downloadModel, findModelFiles } from "./download-model.ts";
import { endThread } from "./end-thread.ts";
import { defaultHub } from "./hub-file.ts";

/**
 * A cross-encoder that runs in this process; ids are the same as on its hub. Its single output says
 * how well a passage answers a question.
 */
interface NativeReranker {
  id: string;
  /** Question and passage together; longer pairs are truncated. */
  maxTokens: number;
  description: string;
  /** Size of the quantised model, for display. */
  size: string;
}

/** The default first. */
const nativeRerankers: readonly NativeReranker[] = [
  {
    id: "Xenova/ms-marco-MiniLM-L-6-v2",
    maxTokens: 512,
    description: "Small and fast, for English.",
    size: "23 MB",
  },
  {
    id: "jinaai/jina-reranker-v1-turbo-en",
    maxTokens: 1024,
    description: "For English, longer passages.",
    size: "38 MB",
  },
  {
    id: "Xenova/bge-reranker-base",
    maxTokens: 512,
    description: "For English and Chinese. Slow without a fast processor.",
    size: "280 MB",
  },
];

/** Node runs .ts in development and tests (with types stripped), and .js from dist. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./reranker-worker.ts" : "./reranker-worker.js",
  import.meta.url,
);
/** The model is unloaded after this idle time. */
const idleMs = 10 * 60_000;
const retryMs = 5 * 60_000;
const downloadMs = 40 * 60_000;
/** Number of pairs that two shared cores score in about a second. */
const maxTexts = 30;

interface Reply {
  id: number;
  scores?: number[];
  fault?: string;
}
interface Waiting {
  resolve(scores: number[]): void;
  reject(fault: Error): void;
}

export interface NativeRerankOptions {
  modelsDir: string;
  /** An id from `nativeRerankers`; the first by default. */
  model?: string | undefined;
  /** Where to download models from; null disables downloads. */
  hub?: string | null;
}

/**
 * A cross-encoder in its own thread, started for the first question and stopped when idle. A
 * question never waits for a download.
 */
export class NativeRerankModel implements RerankModel {
  readonly kind = "native";
  readonly provider = "native";
  readonly model: string;
  readonly maxTexts = maxTexts;
  private readonly reranker: NativeReranker;
  private readonly modelsDir: string;
  private readonly hub: string | null;
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  private idle: NodeJS.Timeout | undefined;
  private download: Promise<void> | null = null;
  private failed: { at: number; why: KnownFault } | null = null;

  constructor({ modelsDir, model, hub = defaultHub }: NativeRerankOptions) {
    const found =
      model === undefined ? nativeRerankers[0]! : nativeRerankers.find(({ id }) => id === model);
    if (found === undefined)
      throw new ProviderError(
        {
          code: "reranker.model-unsupported",
          params: { model: String(model), models: nativeRerankers.map(({ id }) => id).join(", ") },
        },
        { kind: "invalid" },
      );
    this.reranker = found;
    this.model = found.id;
    this.modelsDir = modelsDir;
    this.hub = hub;
  }

  async isReady(): Promise<boolean> {
    return (await findModelFiles(this.modelsDir, this.reranker)) !== null;
  }

  /**
   * Starts downloading the model if it is missing and downloads are enabled; `fetching` reports the
   * progress.
   */
  fetch(): void {
    if (
      this.hub === null ||
      this.download !== null ||
      (this.failed !== null && Date.now() - this.failed.at < retryMs)
    )
      return;
    const hub = this.hub;
    this.download = downloadModel(this.modelsDir, this.reranker, {
      hub,
      signal: AbortSignal.timeout(downloadMs),
      onProgress: () => undefined,
    })
      .then(
        () => {
          this.failed = null;
        },
        (fault: unknown) => {
          this.failed = {
            at: Date.now(),
            why:
              fault instanceof EgressError
                ? fault.fault
                : { code: "egress.unexpected-response", params: { host: new URL(hub).host } },
          };
        },
      )
      .finally(() => {
        this.download = null;
      });
  }

  /** Why the model is unavailable. */
  get fetching(): KnownFault {
    const { model } = this;
    if (this.hub === null) return { code: "reranker.downloads-disabled", params: { model } };
    return this.failed === null
      ? { code: "reranker.downloading", params: { model } }
      : { code: "reranker.download-failed", params: { model, reason: this.failed.why } };
  }

  async score(
    question: string,
    texts: readonly RerankText[],
    signal: AbortSignal,
  ): Promise<number[]> {
    const files = await findModelFiles(this.modelsDir, this.reranker);
    if (files === null) {
      this.fetch();
      throw new ProviderError(this.fetching, { kind: "unreachable" });
    }
    const worker = this.worker ?? this.start({ ...files, maxTokens: this.reranker.maxTokens });
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const stop = (): void =>
        this.settle(id, (one) =>
          one.reject(new ProviderError({ code: "reranker.timed-out" }, { kind: "aborted" })),
        );
      this.waiting.set(id, { resolve, reject });
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      worker.ref();
      worker.postMessage({
        id,
        question,
        texts: texts.map(({ title, headingPath, text }) =>
          [...new Set([title, ...headingPath])].filter(Boolean).concat(text).join("\n"),
        ),
      });
    });
  }

  /** Stops the thread; the next question starts it again. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = null;
    if (worker) await endThread(worker);
  }

  private start(files: { modelPath: string; tokenizerPath: string; maxTokens: number }): Worker {
    const worker = new Worker(workerFile, { workerData: files, execArgv: [], name: "reranker" });
    this.worker = worker;
    worker.on("message", ({ id, scores, fault }: Reply) =>
      this.settle(id, (one) =>
        scores
          ? one.resolve(scores)
          : one.reject(
              new ProviderError(
                { code: "reranker.failed", params: { details: fault ?? "no answer" } },
                { kind: "server", isRetryable: false },
              ),
            ),
      ),
    );
    const lost = (fault: Error): void => {
      if (this.worker === worker) this.worker = null;
      for (const id of [...this.waiting.keys()])
        this.settle(id, (one) =>
          one.reject(
            new ProviderError(
              { code: "reranker.stopped", params: { details: fault.message } },
              { kind: "server", cause: fault },
            ),
          ),
        );
    };
    worker.on("error", lost);
    worker.on("exit", (code) => lost(new Error(`thread ended with ${code}`)));
    return worker;
  }

  private settle(id: number, tell: (one: Waiting) => void): void {
    const one = this.waiting.get(id);
    if (one === undefined) return;
    this.waiting.delete(id);
    if (this.waiting.size === 0) {
      this.worker?.unref();
      clearTimeout(this.idle);
      this.idle = setTimeout(() => void this.close(), idleMs).unref();
    }
    tell(one);
  }
}
