import type { KnownFault } from "@carrel/contracts";
import type { EmbeddingModel } from "@carrel/providers";
import { CONFIG, STOPPING } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import path from "node:path";
import type { IngestConfig } from "../ingest.config.ts";

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

/** Embedders by their settings: the active index's, and that of an index being built. */
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
    const [{ createEmbeddingModel, embeddingProviders, ProviderError }, { GuardedEmbeddingModel }] =
      await Promise.all([import("@carrel/providers"), import("./guarded-embedding-model.ts")]);
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
