import type { getSearchState, Out, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { EmbeddingCalls } from "../embedding/embedding-calls.ts";
import {
  EmbeddingModels,
  type NamedModel,
  type NativeState,
} from "../embedding/embedding-models.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { ModelUse } from "../usage/model-use.ts";
import type { Chunking } from "../work-pool/work.ts";
import { IndexDirectory } from "./index-directory.ts";
import type { SearchIndex } from "./search-index.ts";

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
  private ready = false;

  constructor(
    private readonly directory: IndexDirectory,
    private readonly models: EmbeddingModels,
    private readonly settings: InstanceSettings,
    private readonly use: ModelUse,
    private readonly calls: EmbeddingCalls,
  ) {
    settings.onChange(() => {
      calls.resumeQuestions();
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
   * embedder, and of the one in the settings: the index adopts a changed limit only a little later.
   */
  async chunking(): Promise<Chunking> {
    return this.settings.chunking(await this.maxInputCharacters());
  }

  private async maxInputCharacters(): Promise<number | null> {
    const indexes = [await this.directory.active(), await this.directory.find("building")].filter(
      (index) => index !== null,
    );
    const models = await Promise.all([
      ...indexes.map((index) => this.modelOf(index)),
      this.settings
        .get()
        .then((settings) => this.models.find(settings))
        .then(({ named }) => named),
    ]);
    const limits = models.flatMap((named) => named?.model.maxInputCharacters ?? []);
    return limits.length === 0 ? null : Math.min(...limits);
  }

  /**
   * The question's vector and its table. The vector is null if the embedder can't be called, fails
   * or is too slow; if there are no vectors to compare it with, all is null.
   */
  async embedQuery(
    question: string,
    { principal, workspace }: WorkspaceScope,
  ): Promise<{ name: string; vector: Float32Array | null } | null> {
    const [ready, { table, vectorsWork }] = await Promise.all([
      this.findReady(),
      this.directory.active(),
    ]);
    if (table === null || vectorsWork === false) return null;
    if (!ready) return { name: table, vector: null };
    const key = `${ready.table}\n${question}`;
    const known = this.queries.get(key);
    if (known) return { name: ready.table, vector: known };
    const { model } = ready;
    const vector = await this.calls.embedQuestion(model, question, (inputTokens, milliseconds) =>
      this.use.add({
        purpose: "embedding",
        workspaceId: workspace.id,
        widgetId: principal.widget?.id ?? null,
        provider: model.provider,
        model: model.model,
        inputTokens,
        milliseconds,
      }),
    );
    if (vector) this.queries.set(key, vector);
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

  /** The active index's table, and whether its embedder can be called or what it lacks. */
  async state(): Promise<{
    table: string | null;
    embedder: Out<typeof getSearchState>["embedder"];
  }> {
    const index = await this.directory.active();
    return { table: index.table, embedder: await this.stateOf(index) };
  }

  private async stateOf({
    settings,
    embedder,
  }: SearchIndex): Promise<Out<typeof getSearchState>["embedder"]> {
    const { named, fault } = await this.models.find(
      settings?.chosen ?? (await this.settings.get()),
    );
    if (named === null) return { state: "unset", fault };
    if (settings !== null && named.name !== embedder) return { state: "unset", fault: null };
    if (!named.model.files) return { state: "ready", fault: null };
    const { status, fault: missing } = await named.model.files.state();
    return { state: status, fault: missing };
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
