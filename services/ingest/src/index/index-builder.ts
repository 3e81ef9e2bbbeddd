import { buildIndex, servicePrincipal, type JobPayload, type KnownFault } from "@carrel/contracts";
import { jobMessage, Outbox, Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { IndexBuildError, toIndexBuildError } from "./index-build-error.ts";
import { IndexBuildRepository, type TurnOutcome } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFiller, type BuildTurn } from "./index-filler.ts";
import { IndexStore } from "./index-store.ts";
import { IndexSwitch } from "./index-switch.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Holds a build for one job, and hands it to the next. */
@Injectable()
export class IndexBuildLease {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly builds: IndexBuildRepository,
    private readonly directory: IndexDirectory,
  ) {}

  /**
   * The index to build; null if another job holds the build or it was cancelled. `isRedelivery`: an
   * earlier attempt of this very job has ended, so its lease no longer counts.
   */
  async claim(id: string, version: number, isRedelivery: boolean): Promise<SearchIndex | null> {
    if (!(await this.builds.claim(scope, id, version, isRedelivery))) return null;
    this.directory.forget();
    const building = await this.directory.find("building");
    return building?.id === id ? building : null;
  }

  /** Ends the job's turn; a build that is still running continues in the next job. */
  async endTurn(id: string, version: number, outcome: TurnOutcome): Promise<void> {
    const continues = outcome.state === "running";
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.builds.endTurn(scope, manager, id, version, outcome))) return;
      if (continues)
        await this.outbox.add(
          manager,
          jobMessage(buildIndex, {
            rowId: id,
            version: version + 1,
            payload: { buildId: id, version: version + 1 },
          }),
        );
      else await this.directory.recordChange(manager);
    });
    if (!continues) await this.directory.announceChange();
  }

  /** The job of a cancelled build has ended, so its storage may be freed. */
  async release(id: string): Promise<void> {
    await this.builds.release(scope, id);
  }
}

/** How long a job runs before handing over to the next one, so that shutdown never has to wait. */
const turnMs = 20_000;
/**
 * With at most this many documents left, publishing waits until they are copied; otherwise a steady
 * stream of uploads would keep an index from ever completing.
 */
const lastStretch = 16;

/** Fills the index that the settings ask for and activates it once nothing is missing. */
@Injectable()
export class IndexBuilder {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly lease: IndexBuildLease,
    private readonly store: IndexStore,
    private readonly filler: IndexFiller,
    private readonly indexSwitch: IndexSwitch,
  ) {}

  @Process(buildIndex, { concurrency: 1 })
  async run(
    { buildId, version }: JobPayload<typeof buildIndex>,
    context: JobContext,
  ): Promise<void> {
    const isRedelivery = context.attempt > 1 || context.crashes > 0;
    const building = await this.lease.claim(buildId, version, isRedelivery);
    if (building === null) return;
    try {
      const isDone = await this.work(building, version, context.signal);
      if (!isDone)
        await this.lease.endTurn(buildId, version, {
          state: "running",
          fault: null,
          retryMs: null,
        });
    } catch (error) {
      const { fault, retryMs } = toIndexBuildError(error);
      this.logger.warn({ err: error }, "building the search index was interrupted");
      const state = retryMs === null ? "failed" : "waiting";
      await this.lease.endTurn(buildId, version, { state, fault, retryMs });
    } finally {
      await this.lease.release(buildId);
    }
  }

  @ProcessFailed(buildIndex)
  async fail({ buildId, version }: JobPayload<typeof buildIndex>): Promise<void> {
    const fault: KnownFault = { code: "index.build-interrupted" };
    await this.lease.endTurn(buildId, version, { state: "failed", fault, retryMs: null });
    await this.lease.release(buildId);
  }

  /** True if this job has nothing left to do: the index is active, or the build was cancelled. */
  private async work(
    building: SearchIndex,
    version: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const named = await this.filler.findModel(building);
    await this.store.check(building);
    const turn: BuildTurn = {
      building,
      version,
      named,
      signal,
      until: performance.now() + turnMs,
      refused: new Map(),
    };
    const outcome = await this.filler.fill(turn);
    if (outcome !== "complete") return outcome === "lost";
    const isActive = await this.indexSwitch.activateWhenComplete(building, version, (own) =>
      this.filler.fillRest(
        { ...turn, building: own, until: performance.now() + turnMs },
        lastStretch,
      ),
    );
    if (isActive) return true;
    // The active index holds documents that this embedder refuses, so an admin has to decide.
    const [first] = turn.refused.values();
    if (!first) return false;
    const { size: count } = turn.refused;
    throw new IndexBuildError(
      count === 1
        ? { code: "index.document-refused", params: { reason: first.fault } }
        : { code: "index.documents-refused", params: { count, reason: first.fault } },
      null,
      first,
    );
  }
}
