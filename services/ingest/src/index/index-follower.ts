import { isDeepStrictEqual } from "node:util";
import { buildIndex, servicePrincipal } from "@carrel/contracts";
import { Outbox, Reconciler, jobMessage, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { embedJob } from "../document/document-jobs.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { Embedder } from "./embedder.ts";
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

/**
 * Queues embedding and index builds once their embedder is ready, and downloads the built-in model
 * when one of them needs it.
 */
@Injectable()
export class EmbeddingReconciler extends Reconciler implements OnApplicationShutdown {
  private isDownloading = false;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly embedder: Embedder,
    private readonly follower: IndexFollower,
    private readonly builds: IndexBuildRepository,
    settings: InstanceSettings,
  ) {
    super();
    settings.onChange(
      () =>
        void this.applySettings().catch((error: unknown) =>
          this.logger.warn({ err: error }, "couldn't apply changed settings"),
        ),
    );
  }

  override async due(): Promise<OutboxMessage[]> {
    return [...(await this.dueEmbedding()), ...(await this.dueBuild())];
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Searchable documents that still need vectors in the active index. */
  private async dueEmbedding(): Promise<OutboxMessage[]> {
    const rows = await this.dataSource.query<
      { id: number; version: number; workspaceId: number }[]
    >(`SELECT id, version, workspace_id AS "workspaceId"
      FROM ingest.workspace_document
      WHERE (state = 'searchable' AND (retry_at IS NULL OR retry_at < now()))
        OR (state = 'embedding' AND lease_until < now())
      ORDER BY id LIMIT 5000`);
    if (rows.length === 0) return [];
    if (!(await this.embedder.findReady())) {
      this.downloadModel();
      return [];
    }
    return rows.map((row) => embedJob(row, row.workspaceId));
  }

  private async dueBuild(): Promise<OutboxMessage[]> {
    const build = await this.builds.findDue(scope);
    if (!build) return [];
    if (!(await this.embedder.isConfiguredModelReady())) this.downloadModel();
    return [
      jobMessage(buildIndex, {
        rowId: build.id,
        version: build.version,
        payload: { buildId: build.id, version: build.version },
      }),
    ];
  }

  /** After a new key or embedder, retries waiting work immediately instead of in the next round. */
  private async applySettings(): Promise<void> {
    await this.follower.follow(true);
    await this.dataSource.query(
      `UPDATE ingest.workspace_document SET retry_at = NULL WHERE state = 'searchable' AND retry_at IS NOT NULL`,
    );
    const due = await this.due();
    if (due.length > 0)
      await this.dataSource.transaction((manager) => this.outbox.add(manager, ...due));
  }

  private downloadModel(): void {
    if (this.isDownloading) return;
    this.isDownloading = true;
    void this.embedder
      .ensureNative(this.stopping.signal)
      .then(() => this.applySettings())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't download the built-in embedder"),
      )
      .finally(() => {
        this.isDownloading = false;
      });
  }
}
