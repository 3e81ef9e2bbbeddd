import type { EmbeddingModel } from "@carrel/providers";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";
import path from "node:path";
import type { IngestConfig } from "../ingest.config.ts";

export interface NamedModel {
  /**
   * Under which its vectors are cached: provider, model and whatever else makes them other vectors
   * (their length, prefixes).
   */
  name: string;
  model: EmbeddingModel;
}
export interface NativeState {
  state: "ready" | "missing" | "downloading" | "off";
  message: string | null;
  progress: number | null;
}
/** An embedder, or what is missing in its settings. */
export type FoundModel = { named: NamedModel; fault: null } | { named: null; fault: string };

const prefixKeys = ["GenericOpenAiEmbeddingPassagePrefix", "GenericOpenAiEmbeddingQueryPrefix"];

/**
 * Embedders by the settings that name them: the one that answers, the one of an index that is being
 * built.
 */
@Injectable()
export class EmbeddingModels implements OnApplicationShutdown {
  private readonly made = new LRUCache<string, FoundModel>({ max: 6 });

  constructor(@Inject(CONFIG) private readonly config: IngestConfig) {}

  /** Asks no vendor. */
  async find(values: Record<string, string>): Promise<FoundModel> {
    const key = JSON.stringify(Object.entries(values).sort());
    const known = this.made.get(key);
    if (known) return known;
    const { createEmbeddingModel, ProviderError } = await import("@carrel/providers");
    let found: FoundModel;
    try {
      const model = createEmbeddingModel(
        values.EmbeddingEngine || "native",
        values,
        this.nativeOptions,
      );
      found = { named: { name: nameOf(model, values), model }, fault: null };
    } catch (fault) {
      if (!(fault instanceof ProviderError)) throw fault;
      found = { named: null, fault: fault.message };
    }
    this.made.set(key, found);
    return found;
  }

  /**
   * Whether it can be asked now: what runs elsewhere can, the built-in one when its model is there.
   * Starts no download.
   */
  async isReady({ model }: NamedModel): Promise<boolean> {
    return model.provider !== "native" || (await this.nativeState(model)).state === "ready";
  }

  async nativeState(
    model: Pick<EmbeddingModel, "provider" | "model"> | null,
  ): Promise<NativeState> {
    if (model && model.provider !== "native")
      return { state: "off", message: null, progress: null };
    const { nativeModelState } = await import("@carrel/providers");
    const { status, message, progress } = await nativeModelState({
      ...this.nativeOptions,
      model: model?.model,
    });
    return { state: status, message, progress };
  }

  /** Fetches the built-in model where it is missing; failures are told by `nativeState`. */
  async ensureNative(model: EmbeddingModel, signal: AbortSignal): Promise<void> {
    if (model.provider !== "native") return;
    const { ensureNativeModel } = await import("@carrel/providers");
    await ensureNativeModel({ ...this.nativeOptions, model: model.model, signal }).catch(
      () => undefined,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.made.size === 0) return;
    const { closeNativeEmbedders } = await import("@carrel/providers");
    await closeNativeEmbedders();
  }

  private get nativeOptions(): { modelsDir: string; hub: string | null } {
    return {
      modelsDir: this.config.CARREL_MODELS_DIR ?? path.join(this.config.CARREL_HOME, "models"),
      hub: this.config.CARREL_MODEL_HUB,
    };
  }
}

function nameOf(model: EmbeddingModel, values: Record<string, string>): string {
  const length = model.provider === "native" ? undefined : values.EmbeddingOutputDimensions?.trim();
  const prefixes =
    model.provider === "generic-openai"
      ? prefixKeys
          .map((key) => values[key] ?? "")
          .join("\n")
          .trim()
      : "";
  return [
    model.provider,
    model.model,
    ...(length ? [length] : []),
    ...(prefixes ? [createHash("sha256").update(prefixes).digest("hex").slice(0, 8)] : []),
  ].join(":");
}
