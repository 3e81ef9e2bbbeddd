import {
  CarrelError,
  dropPreviousIndex,
  eventLogged,
  servicePrincipal,
  stopIndexBuild,
  undoIndexSwitch,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { eventMessage, Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { DataSource, type EntityManager } from "typeorm";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexJanitor } from "./index-janitor.ts";
import { IndexSwitch } from "./index-switch.ts";
import { mapTarget } from "./index-target.ts";
import type { SearchIndex } from "./search-index.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { SettingsRestorer } from "./settings-restorer.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Actions on the index from the settings page. */
@Controller()
export class IndexHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly follower: IndexFollower,
    private readonly indexSwitch: IndexSwitch,
    private readonly restorer: SettingsRestorer,
    private readonly janitor: IndexJanitor,
  ) {}

  @Handle(stopIndexBuild)
  async stop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof stopIndexBuild>> {
    const active = await this.directory.active();
    if (!(await this.directory.find("building")) && (await this.follower.isFollowed()))
      throw new CarrelError("index.not-building");
    await this.restorer.restore(scope, active);
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(undoIndexSwitch)
  async undo(_input: unknown, { scope }: RequestContext): Promise<Out<typeof undoIndexSwitch>> {
    const previous = await this.directory.find("previous");
    if (!previous) throw new CarrelError("index.nothing-to-restore");
    // Settings first: if the process dies now, a build leads to the same index.
    await this.restorer.restore(scope, previous);
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
      // A separate full-text index lacks documents added since; a build adds them first.
      if (
        active.textPlace !== to.textPlace &&
        !(await this.indexSwitch.canActivate(manager, active, to))
      )
        return;
      await this.indexSwitch.activate(manager, active, to);
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
      if (!previous) throw new CarrelError("index.no-previous");
      await this.indexes.setRole(serviceScope, manager, previous.id, "dropped");
      await this.log(manager, scope, "search_index_dropped", previous);
      await this.directory.noteChange(manager);
    });
    await this.directory.tellNow();
    this.freeSoon();
    return { success: true };
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

  /** If this process ends first, the reconciler frees them. */
  private freeSoon(): void {
    setTimeout(() => void this.janitor.free().catch(() => undefined), 1_000).unref();
  }
}
