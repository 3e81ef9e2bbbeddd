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
import { EmbedderPool } from "./embedder-pool.ts";
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
