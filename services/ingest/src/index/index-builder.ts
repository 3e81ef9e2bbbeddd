import { buildIndex, type JobPayload, type KnownFault } from "@carrel/contracts";
import { Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { Inject, Injectable } from "@nestjs/common";
import { IndexBuildError, toIndexBuildError } from "./index-build-error.ts";
import { IndexBuildLease } from "./index-build-lease.ts";
import { IndexFiller, type BuildTurn } from "./index-filler.ts";
import { IndexStore } from "./index-store.ts";
import { IndexSwitch } from "./index-switch.ts";
import type { SearchIndex } from "./search-index.ts";

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
