import { isDeepStrictEqual } from "node:util";
import { buildIndex, servicePrincipal } from "@carrel/contracts";
import { jobMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexSwitch } from "./index-switch.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { isSame, type SearchIndex, type Target } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Follows the settings: updates the keys of the current index, or starts building another one while
 * the active index stays in use.
 */
@Injectable()
export class IndexFollower {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly settings: InstanceSettings,
    private readonly builds: IndexBuildRepository,
    private readonly indexSwitch: IndexSwitch,
  ) {}

  /**
   * Makes the indexes match the settings. With `again`, retries a waiting or failed build because
   * something was changed.
   */
  async follow(again = false): Promise<void> {
    await this.directory.active();
    const { values, version } = await this.settings.current();
    const target = await this.directory.read(values);
    const changed = await this.dataSource.transaction(async (manager) => {
      // Usually nothing has changed, which can be checked without blocking publishing.
      if (!(await this.isDue(manager, target, again))) return false;
      await this.indexes.lock(scope, manager);
      if (!(await this.indexes.noteSettings(scope, manager, version))) return false;
      if (!(await this.apply(manager, target, again))) return false;
      await this.directory.recordChange(manager);
      return true;
    });
    if (changed) await this.directory.announceChange();
  }

  /** Whether the active index is the one that the settings ask for. */
  async isFollowed(): Promise<boolean> {
    const active = await this.directory.active();
    const target = await this.directory.read(await this.settings.get());
    return target.fault === null && isSame(active, target);
  }

  private async isDue(manager: EntityManager, target: Target, again: boolean): Promise<boolean> {
    const rows = await this.indexes.list(scope, manager);
    const [active, building] = (["active", "building"] as const).map((role) =>
      rows.find((index) => index.role === role),
    );
    if (!active) return false;
    if (target.fault !== null) return building !== undefined || this.isOutdated(active, target);
    if (isSame(active, target)) return building !== undefined || this.isOutdated(active, target);
    return (
      building === undefined ||
      !isSame(building, target) ||
      this.isOutdated(building, target) ||
      (again && building.state !== "running")
    );
  }

  /**
   * An incompletely configured engine still takes the current settings, so that a withdrawn key is
   * no longer used.
   */
  private isOutdated(index: SearchIndex, target: Target): boolean {
    return (
      (target.fault === null ||
        (index.engine === target.engine && index.vectorPlace === target.vectorPlace)) &&
      !isDeepStrictEqual(index.settings, target.settings)
    );
  }

  private async apply(manager: EntityManager, target: Target, again: boolean): Promise<boolean> {
    const rows = await this.indexes.list(scope, manager);
    const [active, building, previous] = (["active", "building", "previous"] as const).map((role) =>
      rows.find((index) => index.role === role),
    );
    if (!active) return false;
    if (target.fault !== null || isSame(active, target)) {
      if (building) await this.indexes.setRole(scope, manager, building.id, "dropped");
      if (this.isOutdated(active, target))
        await this.indexes.saveSettings(scope, manager, active.id, target.settings);
      return true;
    }
    if (building && isSame(building, target)) {
      await this.indexes.saveSettings(scope, manager, building.id, target.settings);
      if (again || !isDeepStrictEqual(building.settings, target.settings))
        await this.builds.wake(scope, manager, building.id);
    } else {
      if (building) await this.indexes.setRole(scope, manager, building.id, "dropped");
      if (previous && isSame(previous, target)) {
        await this.indexes.saveSettings(scope, manager, previous.id, target.settings);
        await this.indexes.setRole(scope, manager, previous.id, "building");
      } else await this.indexes.create(scope, manager, "building", target);
    }
    const made = (await this.indexes.list(scope, manager)).find(({ role }) => role === "building")!;
    if (await this.indexSwitch.canActivate(manager, active, made))
      await this.indexSwitch.activate(manager, active, made);
    else
      await this.outbox.add(
        manager,
        jobMessage(buildIndex, {
          rowId: made.id,
          version: made.version,
          payload: { buildId: made.id, version: made.version },
        }),
      );
    return true;
  }
}
