import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import type { Chunking } from "../work-pool/work.ts";
import { IndexDirectory } from "./index-directory.ts";
import type { SearchIndex } from "./search-index.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import {
  EmbeddingModels,
  type NamedModel,
  type NativeState,
} from "../embedding/embedding-models.ts";
import { ModelUse } from "../usage/model-use.ts";

/** How long a question waits for its vector before full-text search answers alone. */
const queryMs = 3_000;
/** How long questions skip embedding after a late or failed one. */
const pauseMs = 15_000;

/** An embedder that can be called, and the index its vectors belong to. */
export interface ReadyEmbedder extends NamedModel {
  table: string;
  indexId: string;
  /** null until the first vector. */
  dimensions: number | null;
}

/** The active index's embedder, whatever the settings now ask for, and whether it can be used. */
@Injectable()
export class Embedder {
  private readonly queries = new LRUCache<string, Float32Array>({ max: 300 });
  private pausedUntil = 0;
  private ready = false;

  constructor(
    private readonly directory: IndexDirectory,
    private readonly models: EmbeddingModels,
    private readonly settings: InstanceSettings,
    private readonly use: ModelUse,
  ) {
    settings.onChange(() => {
      this.pausedUntil = 0;
      void this.refreshReadiness();
    });
  }

  /**
   * As of the last check: whether a document that becomes searchable should be embedded
   * immediately.
   */
  get isReady(): boolean {
    return this.ready;
  }

  /** Returns the index's embedder; null while its settings are incomplete or unreadable. */
  async modelOf(index: SearchIndex): Promise<NamedModel | null> {
    if (index.embedder === null || index.settings === null) return null;
    const { named } = await this.models.find(index.settings.chosen);
    // Never call a different embedder than the one that made this index's vectors.
    return named?.name === index.embedder ? named : null;
  }

  /**
   * null while the settings are incomplete or the built-in model is missing. Starts no download.
   */
  async findReady(): Promise<ReadyEmbedder | null> {
    const index = await this.directory.active();
    const named = await this.modelOf(index);
    this.ready = named !== null && index.table !== null && (await this.models.isReady(named));
    return this.ready
      ? { ...named!, table: index.table!, indexId: index.id, dimensions: index.dimensions }
      : null;
  }

  /** Updates `isReady`; if the settings can't be read, it keeps its value. */
  async refreshReadiness(): Promise<void> {
    await this.findReady().catch(() => null);
  }

  /**
   * How documents are split, within the limits of the active index's and any building index's
   * embedder.
   */
  async chunking(): Promise<Chunking> {
    return this.settings.chunking(await this.maxInputCharacters());
  }

  private async maxInputCharacters(): Promise<number | null> {
    const indexes = [await this.directory.active(), await this.directory.find("building")].filter(
      (index) => index !== null,
    );
    const limits = (await Promise.all(indexes.map((index) => this.modelOf(index)))).flatMap(
      (named) => named?.model.maxInputCharacters ?? [],
    );
    return limits.length === 0 ? null : Math.min(...limits);
  }

  /**
   * The question's vector and its table. The vector is null if the embedder fails or is too slow;
   * without an embedder, all is null.
   */
  async embedQuery(
    question: string,
    { principal, workspace }: WorkspaceScope,
  ): Promise<{ name: string; vector: Float32Array | null } | null> {
    const ready = await this.findReady();
    if ((await this.directory.active()).vectorsWork === false) return null;
    if (!ready) return null;
    if (Date.now() < this.pausedUntil) return { name: ready.table, vector: null };
    const key = `${ready.table}\n${question}`;
    const known = this.queries.get(key);
    if (known) return { name: ready.table, vector: known };
    const signal = AbortSignal.timeout(queryMs);
    const late = new Promise<null>((resolve) =>
      signal.addEventListener("abort", () => resolve(null), { once: true }),
    );
    const began = performance.now();
    const vectors = await Promise.race([
      ready.model
        .embed([question.slice(0, ready.model.maxInputCharacters)], "query", signal, (tokens) =>
          this.use.add({
            purpose: "embedding",
            workspaceId: workspace.id,
            widgetId: principal.widget?.id ?? null,
            provider: ready.model.provider,
            model: ready.model.model,
            inputTokens: tokens,
            milliseconds: performance.now() - began,
          }),
        )
        .catch(() => null),
      late,
    ]);
    const vector = vectors?.[0];
    if (!vector) {
      this.pausedUntil = Date.now() + pauseMs;
      return { name: ready.table, vector: null };
    }
    this.queries.set(key, vector);
    return { name: ready.table, vector };
  }

  /** Whether the embedder in the settings can be called now; true if none is configured. */
  async isConfiguredModelReady(): Promise<boolean> {
    const { named } = await this.models.find(await this.settings.get());
    return named === null || this.models.isReady(named);
  }

  /**
   * State of the built-in embedder if the settings choose it; `off` if another engine is chosen.
   */
  async nativeState(): Promise<NativeState> {
    const { named } = await this.models.find(await this.settings.get());
    return this.models.nativeState(named?.model ?? null);
  }

  /** Downloads missing built-in models that the settings or the active index need. */
  async ensureNative(signal: AbortSignal): Promise<void> {
    const wanted = (await this.models.find(await this.settings.get())).named;
    const active = await this.modelOf(await this.directory.active());
    for (const named of [active, wanted])
      if (named && !(await this.models.isReady(named)))
        await this.models.ensureNative(named.model, signal);
    await this.refreshReadiness();
  }
}
