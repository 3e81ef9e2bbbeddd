import path from "node:path";
import type { KnownFault } from "@carrel/contracts";
import { CircuitBreaker } from "@carrel/egress";
import { ProviderError, type EmbeddingModel } from "@carrel/providers";
import { CONFIG, STOPPING } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import type { IngestConfig } from "../ingest.config.ts";

const isUnreachable = (fault: unknown): fault is ProviderError =>
  fault instanceof ProviderError && fault.kind === "unreachable";

/**
 * An embedder whose calls for documents end as soon as the process begins to stop, because a thread
 * that is inside its model can't be ended, and are rejected at once while its server can't be reached.
 * Questions have a breaker of their own (`EmbeddingCalls`), which also notices a slow server.
 */
class GuardedEmbeddingModel implements EmbeddingModel {
  readonly files?: NonNullable<EmbeddingModel["files"]>;
  private readonly breaker = new CircuitBreaker(isUnreachable);

  constructor(
    private readonly inner: EmbeddingModel,
    /** Aborts when the process begins to stop. */
    private readonly stopping: AbortSignal,
  ) {
    if (inner.files) this.files = inner.files;
  }

  get provider(): string {
    return this.inner.provider;
  }
  get model(): string {
    return this.inner.model;
  }
  get vectorSpace(): string {
    return this.inner.vectorSpace;
  }
  get dimensions(): number | null {
    return this.inner.dimensions;
  }
  get maxInputCharacters(): number {
    return this.inner.maxInputCharacters;
  }
  get batchSize(): number {
    return this.inner.batchSize;
  }

  embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]> {
    if (kind === "query") return this.inner.embed(texts, kind, signal, onTokens);
    const either = AbortSignal.any([signal, this.stopping]);
    return this.breaker.run(() => this.inner.embed(texts, kind, either, onTokens));
  }
}

export interface NamedModel {
  /** Cache key of its vectors. */
  name: string;
  model: EmbeddingModel;
}
export interface NativeState {
  state: "ready" | "missing" | "downloading" | "off";
  fault: KnownFault | null;
  progress: number | null;
}
/** An embedder, or what its settings lack. */
export type FoundModel = { named: NamedModel; fault: null } | { named: null; fault: KnownFault };

/** Embedders by their settings: the active index's, and one for an index being built. */
@Injectable()
export class EmbeddingModels implements OnApplicationShutdown {
  private readonly made = new LRUCache<string, FoundModel>({ max: 6 });

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /** Makes no provider calls. */
  async find(values: Record<string, string>): Promise<FoundModel> {
    const key = JSON.stringify(Object.entries(values).sort());
    const known = this.made.get(key);
    if (known) return known;
    const { createEmbeddingModel, embeddingProviders } = await import("@carrel/providers");
    let found: FoundModel;
    try {
      const model = new GuardedEmbeddingModel(
        createEmbeddingModel(
          values.EmbeddingEngine || embeddingProviders[0]!.id,
          values,
          this.localOptions,
        ),
        this.stopping,
      );
      found = { named: { name: model.vectorSpace, model }, fault: null };
    } catch (fault) {
      if (!(fault instanceof ProviderError)) throw fault;
      found = { named: null, fault: fault.fault };
    }
    this.made.set(key, found);
    return found;
  }

  /** Whether it can be called now: a local model needs its files. Starts no download. */
  async isReady({ model }: NamedModel): Promise<boolean> {
    return !model.files || (await model.files.state()).status === "ready";
  }

  /** State of the default model if `model` is null; `off` for models that run elsewhere. */
  async nativeState(model: Pick<EmbeddingModel, "files"> | null): Promise<NativeState> {
    const { files } = model ?? (await this.findDefault());
    if (!files) return { state: "off", fault: null, progress: null };
    const { status, fault, progress } = await files.state();
    return { state: status, fault, progress };
  }

  /** Downloads a local model whose files are missing; `nativeState` reports failures. */
  async ensureNative(model: EmbeddingModel, signal: AbortSignal): Promise<void> {
    await model.files?.ensure(signal).catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.made.size === 0) return;
    const { closeNativeEmbedders } = await import("@carrel/providers");
    await closeNativeEmbedders();
  }

  private async findDefault(): Promise<Pick<EmbeddingModel, "files">> {
    return (await this.find({})).named?.model ?? {};
  }

  private get localOptions(): { modelsDir: string; hub: string | null } {
    return {
      modelsDir: this.config.CARREL_MODELS_DIR ?? path.join(this.config.CARREL_HOME, "models"),
      hub: this.config.CARREL_MODEL_HUB,
    };
  }
}
