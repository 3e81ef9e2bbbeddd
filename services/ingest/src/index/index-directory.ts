import {
  CarrelError,
  indexChanged,
  restoreSettings,
  servicePrincipal,
  type EventPayload,
  type ProviderDeclaration,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Broadcast, Outbox, RequestClient, eventMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EmbeddingModels } from "../embedding/embedding-models.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex, Target } from "./search-index.ts";

/** Restores the settings of an index as the instance's settings. */
@Injectable()
export class SettingsRestorer {
  constructor(
    private readonly client: RequestClient,
    private readonly box: SecretBox,
    private readonly settings: InstanceSettings,
  ) {}

  /** Throws CONFLICT if the settings can't be read or are locked by the environment. */
  async restore(scope: Scope, index: SearchIndex): Promise<void> {
    if (index.settings === null) throw new CarrelError("index.settings-unreadable");
    const [{ embeddingProviders, languageProviders }, { vectorProviders }] = await Promise.all([
      import("@carrel/providers"),
      import("@carrel/vector-store"),
    ]);
    const { chosen } = index.settings;
    const now = await this.settings.get();
    const shared = new Set(
      languageProviders.flatMap((provider) => provider.fields.map(({ key }) => key)),
    );
    const fields = [
      ...findChosen(embeddingProviders, chosen.EmbeddingEngine),
      ...findChosen(vectorProviders, chosen.VectorDB),
    ].flatMap((provider) => provider.fields);
    const secretKeys = new Set(
      fields.filter(({ kind }) => kind === "secret").map(({ key }) => key),
    );
    // Settings shared with language models are only filled in if missing.
    const keys = [
      "EmbeddingEngine",
      "VectorDB",
      ...fields.map(({ key }) => key).filter((key) => !shared.has(key) || !now[key]),
    ].filter((key) => (chosen[key] ?? null) !== (now[key] ?? null));
    const values = Object.fromEntries(
      keys.filter((key) => !secretKeys.has(key)).map((key) => [key, chosen[key] ?? null]),
    );
    const secrets = Object.fromEntries(
      keys
        .filter((key) => secretKeys.has(key))
        .map((key) => [key, chosen[key] === undefined ? null : this.box.seal(chosen[key])]),
    );
    const { locked } = await this.client.request(
      restoreSettings,
      { values, secrets },
      { scope: { ...scope, workspace: null } },
    );
    if (locked.length > 0)
      throw new CarrelError("index.settings-locked", { settings: locked.join(", ") });
    this.settings.forget();
  }
}

/** The declaration of the provider that the settings choose; the first if they choose none. */
const findChosen = (
  providers: readonly ProviderDeclaration[],
  id: string | undefined,
): ProviderDeclaration[] =>
  providers.filter((provider) => provider.id === (id || providers[0]!.id));

const scope = { principal: servicePrincipal, workspace: null };
/** How long rows are cached: changes are broadcast, and this recovers from a lost broadcast. */
const freshMs = 2_000;
const changedEveryMs = 1_000;

/** Which indexes exist, which one is active, and which one the settings ask for. */
@Injectable()
export class IndexDirectory implements OnApplicationShutdown {
  private cached: { rows: SearchIndex[]; at: number } | null = null;
  private loading: Promise<SearchIndex[]> | null = null;
  private announcedAt = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly stop: () => void;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
    private readonly indexes: SearchIndexRepository,
    private readonly settings: InstanceSettings,
    private readonly models: EmbeddingModels,
  ) {
    const stopEvent = broadcast.on(`event:${indexChanged.name}`, (_payload: unknown) =>
      this.forget(),
    );
    const stopGap = broadcast.onGap(() => this.forget());
    this.stop = () => {
      stopEvent();
      stopGap();
    };
  }

  /** The active index, created from the settings if there is none yet. */
  async active(): Promise<SearchIndex> {
    return (await this.find("active")) ?? this.first();
  }

  async find(role: "active" | "building" | "previous"): Promise<SearchIndex | null> {
    return (await this.rows()).find((index) => index.role === role) ?? null;
  }

  /**
   * All indexes whose rows must be deleted along with their document, read fresh from PostgreSQL.
   */
  async list(): Promise<SearchIndex[]> {
    this.forget();
    await this.active();
    return (await this.rows()).filter((index) => index.role !== "dropped");
  }

  async findTable(table: string): Promise<SearchIndex | null> {
    const found = (rows: SearchIndex[]): SearchIndex | undefined =>
      rows.find((index) => index.table === table);
    const known = found(await this.rows());
    if (known) return known;
    this.forget();
    return found(await this.rows()) ?? null;
  }

  /** The index that these settings ask for. */
  async read(values: Record<string, string>): Promise<Target> {
    const [
      { chosenStore, settingsFromEnvironment, textPlace, vectorPlace, vectorProviders },
      { embeddingProviders },
      { named, fault },
    ] = await Promise.all([
      import("@carrel/vector-store"),
      import("@carrel/providers"),
      this.models.find(values),
    ]);
    const pick = (from: Record<string, string>, keys: string[]): Record<string, string> =>
      Object.fromEntries(
        keys
          .filter((key) => from[key] !== undefined)
          .sort()
          .map((key) => [key, from[key]!]),
      );
    const storeKeys = [
      "VectorDB",
      ...vectorProviders.flatMap((provider) => provider.fields.map(({ key }) => key)),
    ];
    const { QDRANT_URL, QDRANT_API_KEY } = this.config;
    const variables = { QDRANT_URL, QDRANT_API_KEY: QDRANT_API_KEY?.reveal() };
    const store = pick({ ...values, ...settingsFromEnvironment(values, variables) }, storeKeys);
    return {
      engine: values.EmbeddingEngine || embeddingProviders[0]!.id,
      model: named?.model.model ?? values.EmbeddingModelPref ?? "",
      embedder: named?.name ?? null,
      dimensions: named?.model.dimensions ?? null,
      vectorDatabase: chosenStore(store).id,
      vectorPlace: vectorPlace(store),
      textPlace: textPlace(store),
      fault,
      settings: {
        chosen: pick(values, [
          "EmbeddingEngine",
          ...embeddingProviders.flatMap((provider) => provider.fields.map(({ key }) => key)),
          ...storeKeys,
        ]),
        store,
      },
    };
  }

  forget(): void {
    this.cached = null;
    this.loading = null;
  }

  /**
   * Announces the change reliably through the outbox; `announceChange` also announces it right after the
   * commit.
   */
  async recordChange(manager: EntityManager): Promise<void> {
    await this.outbox.add(
      manager,
      eventMessage(indexChanged, {} satisfies EventPayload<typeof indexChanged>),
    );
  }

  /** Announces progress at most once a second; a lost announcement does no harm. */
  announceProgress(): void {
    if (this.timer) return;
    const wait = Math.max(0, this.announcedAt + changedEveryMs - Date.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.announcedAt = Date.now();
      void this.broadcast.publishEvent(indexChanged, {});
    }, wait).unref();
  }

  async announceChange(): Promise<void> {
    this.forget();
    this.announcedAt = Date.now();
    await this.broadcast.publishEvent(indexChanged, {});
  }

  onApplicationShutdown(): void {
    this.stop();
    if (this.timer) clearTimeout(this.timer);
  }

  private async rows(): Promise<SearchIndex[]> {
    if (this.cached && Date.now() - this.cached.at < freshMs) return this.cached.rows;
    const loading = (this.loading ??= this.indexes
      .list(scope)
      .then((rows) => {
        if (this.loading === loading) this.cached = { rows, at: Date.now() };
        return rows;
      })
      .finally(() => {
        if (this.loading === loading) this.loading = null;
      }));
    return loading;
  }

  private async first(): Promise<SearchIndex> {
    const { values, version } = await this.settings.current();
    const target = await this.read(values);
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(scope, manager);
      const [home] = await manager.query<{ store: string }[]>(
        `INSERT INTO ingest.index_home (id, store, settings_version)
        VALUES (1, '', $1)
        ON CONFLICT (id) DO UPDATE SET id = 1
        RETURNING store`,
        [version],
      );
      if ((await this.indexes.list(scope, manager)).some(({ role }) => role === "active")) return;
      await this.indexes.create(scope, manager, "active", target);
      const made = (await this.indexes.list(scope, manager)).find(({ role }) => role === "active")!;
      // The instance dates from before there could be several indexes.
      if (home?.store) await this.indexes.saveIdentity(scope, manager, made.id, home.store);
      await manager.query(
        `UPDATE ingest.workspace_document SET state = 'searchable', version = version + 1,
          embedded_at = NULL, embedded_model = NULL, lease_until = NULL
        WHERE state IN ('embedding', 'embedded')
          AND embedded_model IS DISTINCT FROM $1
          AND embedded_at IS NOT NULL`,
        [made.table],
      );
    });
    this.forget();
    return (await this.rows()).find(({ role }) => role === "active")!;
  }
}
