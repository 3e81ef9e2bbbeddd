import {
  CarrelError,
  dropPreviousIndex,
  eventLogged,
  getIndexState,
  restoreSettings,
  servicePrincipal,
  stopIndexBuild,
  undoIndexSwitch,
  type IndexTarget,
  type Out,
  type ProviderDeclaration,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import {
  eventMessage,
  Handle,
  Outbox,
  RequestClient,
  type RequestContext,
} from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { DataSource, type EntityManager } from "typeorm";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexJanitor } from "./index-janitor.ts";
import { isSame, type SearchIndex, type Target } from "./search-index.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
const mapTarget = (index: SearchIndex | Target): IndexTarget => ({
  engine: index.engine,
  model: index.model,
  dimensions: index.dimensions,
  vectorDatabase: index.vectorDatabase,
});
const conflict = (message: string): CarrelError => new CarrelError("CONFLICT", message);

/** What the settings page of the index shows and does. */
@Controller()
export class IndexHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly client: RequestClient,
    private readonly box: SecretBox,
    private readonly settings: InstanceSettings,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly follower: IndexFollower,
    private readonly janitor: IndexJanitor,
    private readonly entries: IndexEntryRepository,
  ) {}

  @Handle(getIndexState)
  async state(): Promise<Out<typeof getIndexState>> {
    this.directory.forget();
    const [active, building, previous, vectors, target] = await Promise.all([
      this.directory.active(),
      this.directory.find("building"),
      this.directory.find("previous"),
      this.entries.countVectors(serviceScope),
      this.settings.get().then((values) => this.directory.read(values)),
    ]);
    const cannot =
      target.fault !== null &&
      (target.engine !== active.engine || target.vectorPlace !== active.vectorPlace || vectors > 0);
    return {
      active: vectors === 0 ? null : mapTarget(active),
      vectors,
      wanted: cannot ? mapTarget(target) : null,
      reason: cannot ? target.fault : null,
      building: building && {
        id: building.id,
        target: mapTarget(building),
        state: building.state,
        message: building.message,
        ...(await this.entries.count(serviceScope, building.id)),
        startedAt: building.startedAt.toISOString(),
        secondsLeft: await this.secondsLeft(building),
      },
      previous: previous && { target: mapTarget(previous), since: previous.since.toISOString() },
    };
  }

  @Handle(stopIndexBuild)
  async stop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof stopIndexBuild>> {
    const active = await this.directory.active();
    const target = await this.directory.read(await this.settings.get());
    if (!(await this.directory.find("building")) && target.fault === null && isSame(active, target))
      throw conflict("No index is being built.");
    await this.restore(scope, active);
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(undoIndexSwitch)
  async undo(_input: unknown, { scope }: RequestContext): Promise<Out<typeof undoIndexSwitch>> {
    const previous = await this.directory.find("previous");
    if (!previous) throw conflict("There is no index to go back to.");
    // The settings first: should this process end now, they lead to the same index, by way of a
    // build.
    await this.restore(scope, previous);
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(serviceScope, manager);
      const rows = await this.indexes.list(serviceScope, manager);
      const [active, to, building] = [
        rows.find(({ role }) => role === "active"),
        rows.find(({ id }) => id === previous.id),
        rows.find(({ role }) => role === "building"),
      ];
      if (!active || !to || (to.role !== "previous" && to.role !== "building")) return;
      if (building && building.id !== to.id)
        await this.indexes.setRole(serviceScope, manager, building.id, "dropped");
      // Where words were looked for elsewhere, what was added since cannot be found there yet: it
      // is written first, and that is a build.
      if (active.textPlace !== to.textPlace && !(await this.follower.mayTurn(manager, active, to)))
        return;
      await this.follower.turnTo(manager, active, to);
      await this.log(manager, scope, "search_index_undone", to);
    });
    await this.directory.tellNow();
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(dropPreviousIndex)
  async drop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof dropPreviousIndex>> {
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(serviceScope, manager);
      const previous = (await this.indexes.list(serviceScope, manager)).find(
        ({ role }) => role === "previous",
      );
      if (!previous) throw conflict("There is no index of before.");
      await this.indexes.setRole(serviceScope, manager, previous.id, "dropped");
      await this.log(manager, scope, "search_index_dropped", previous);
      await this.directory.noteChange(manager);
    });
    await this.directory.tellNow();
    this.freeSoon();
    return { success: true };
  }

  /** Writes an index's settings back, keys sealed as they are kept. */
  private async restore(scope: Scope, index: SearchIndex): Promise<void> {
    if (index.settings === null)
      throw conflict("The settings of that index cannot be read any more. Enter them again.");
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
    // What language models use too stays as it is, unless it is missing.
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
      throw conflict(
        `${locked.join(", ")} ${locked.length === 1 ? "is" : "are"} set by the environment of this instance and cannot be changed here.`,
      );
    this.settings.forget();
  }

  private async secondsLeft(building: SearchIndex): Promise<number | null> {
    if (building.state !== "running" || building.chunksBuilt === 0 || building.busyMs === 0)
      return null;
    const { chunksDone, chunksTotal } = await this.entries.count(serviceScope, building.id);
    return Math.ceil(((chunksTotal - chunksDone) * building.busyMs) / building.chunksBuilt / 1000);
  }

  private async log(
    manager: EntityManager,
    { principal, address }: Scope,
    event: string,
    index: SearchIndex,
  ): Promise<void> {
    await this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: principal.userId,
        occurredAt: new Date().toISOString(),
        metadata: {
          ...mapTarget(index),
          ...(principal.keyId === undefined ? {} : { apiKeyId: principal.keyId }),
          ...(address === undefined ? {} : { address }),
        },
      }),
    );
  }

  /** The reconciler does it too, should this process end before. */
  private freeSoon(): void {
    setTimeout(() => void this.janitor.free().catch(() => undefined), 1_000).unref();
  }
}

/** The declaration of the provider that settings choose, the first where they choose none. */
const findChosen = (
  providers: readonly ProviderDeclaration[],
  id: string | undefined,
): ProviderDeclaration[] =>
  providers.filter((provider) => provider.id === (id || providers[0]!.id));
