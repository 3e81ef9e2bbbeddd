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

/** A question waits no longer for its vector: full text answers alone then. */
const queryMs = 3_000;
/** After a vector came late or not at all, questions do without for this long. */
const pauseMs = 15_000;

/** An embedder that can be asked, and the index that its vectors belong to. */
export interface ReadyEmbedder extends NamedModel {
  table: string;
  indexId: string;
  /** null until the first vector. */ dimensions: number | null;
}

/**
 * The embedder of the index that answers, whatever the settings ask for by now, and whether it can
 * be used.
 */
@Injectable()
export class Embedder {
  private readonly queries = new LRUCache<string, Float32Array>({ max: 300 });
  private pausedUntil = 0;
  private ready = false;

  constructor(
    private readonly directory: IndexDirectory,
    private readonly models: EmbeddingModels,
    private readonly settings: InstanceSettings,
  ) {
    settings.onChange(() => {
      this.pausedUntil = 0;
      void this.look();
    });
  }

  /** As of the last look: whether a document that becomes searchable should be embedded at once. */
  get isReady(): boolean {
    return this.ready;
  }

  /** Of an index; null while its settings are incomplete or unreadable. */
  async modelOf(index: SearchIndex): Promise<NamedModel | null> {
    if (index.embedder === null || index.settings === null) return null;
    const { named } = await this.models.find(index.settings.chosen);
    // Settings of another embedder than this index's vectors were made by must never be asked.
    return named?.name === index.embedder ? named : null;
  }

  /**
   * null while the settings are incomplete or the built-in model is not there. Starts no download.
   */
  async findReady(): Promise<ReadyEmbedder | null> {
    const index = await this.directory.active();
    const named = await this.modelOf(index);
    this.ready = named !== null && index.table !== null && (await this.models.isReady(named));
    return this.ready
      ? { ...named!, table: index.table!, indexId: index.id, dimensions: index.dimensions }
      : null;
  }

  /** Brings `isReady` up to date; settings out of reach leave it as it was. */
  async look(): Promise<void> {
    await this.findReady().catch(() => null);
  }

  /** How documents are to be split, for the active index and for one that is being built. */
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
   * The question's vector and its table, or null when there is no embedder, it fails or it is late.
   */
  async embedQuery(question: string): Promise<{ name: string; vector: Float32Array } | null> {
    const ready = await this.findReady();
    if (!ready || Date.now() < this.pausedUntil) return null;
    const key = `${ready.table}\n${question}`;
    const known = this.queries.get(key);
    if (known) return { name: ready.table, vector: known };
    const signal = AbortSignal.timeout(queryMs);
    const late = new Promise<null>((resolve) =>
      signal.addEventListener("abort", () => resolve(null), { once: true }),
    );
    const vectors = await Promise.race([
      ready.model
        .embed([question.slice(0, ready.model.maxInputCharacters)], "query", signal)
        .catch(() => null),
      late,
    ]);
    const vector = vectors?.[0];
    if (!vector) {
      this.pausedUntil = Date.now() + pauseMs;
      return null;
    }
    this.queries.set(key, vector);
    return { name: ready.table, vector };
  }

  /**
   * Whether the embedder that the settings ask for could be asked now; true while they ask for
   * none.
   */
  async isWantedReady(): Promise<boolean> {
    const { named } = await this.models.find(await this.settings.get());
    return named === null || this.models.isReady(named);
  }

  /**
   * Of the built-in embedder, where the settings choose it; `off` while another engine is chosen.
   */
  async nativeState(): Promise<NativeState> {
    const { named } = await this.models.find(await this.settings.get());
    return this.models.nativeState(named?.model ?? null);
  }

  /**
   * Fetches the built-in model where the settings or the index that answers need it and it is
   * missing.
   */
  async ensureNative(signal: AbortSignal): Promise<void> {
    const wanted = (await this.models.find(await this.settings.get())).named;
    const active = await this.modelOf(await this.directory.active());
    for (const named of [active, wanted])
      if (named && !(await this.models.isReady(named)))
        await this.models.ensureNative(named.model, signal);
    await this.look();
  }
}
