import { buildIndex, servicePrincipal, type JobPayload } from "@carrel/contracts";
import { jobMessage, Outbox, Process, type JobContext } from "@carrel/messaging";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BuildHeldError, mapBuildFault } from "./build-held.ts";
import { IndexBuildRepository } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFiller, type BuildTurn } from "./index-filler.ts";
import { IndexStore } from "./index-store.ts";
import { IndexSwitch } from "./index-switch.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
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
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly directory: IndexDirectory,
    private readonly builds: IndexBuildRepository,
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
    if (!(await this.builds.claim(scope, buildId, version, isRedelivery))) return;
    this.directory.forget();
    const building = await this.directory.find("building");
    if (building?.id !== buildId) return;
    try {
      const isDone = await this.work(building, version, context.signal);
      if (!isDone)
        await this.rest(buildId, version, { state: "running", message: null, retryMs: null });
    } catch (fault) {
      const { message, retryMs } = mapBuildFault(fault);
      this.logger.warn({ err: fault }, "building the search index was interrupted");
      const state = retryMs === null ? "failed" : "waiting";
      await this.rest(buildId, version, { state, message, retryMs });
    } finally {
      await this.builds.release(scope, buildId);
    }
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
    const subject = turn.refused.size === 1 ? "a document" : `${turn.refused.size} documents`;
    throw new BuildHeldError(`Couldn't embed ${subject}: ${first.message}`, null, first);
  }

  /** Ends the job; a build that is still running continues in the next one. */
  private async rest(
    id: string,
    version: number,
    outcome: Parameters<IndexBuildRepository["rest"]>[4],
  ): Promise<void> {
    const goesOn = outcome.state === "running";
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.builds.rest(scope, manager, id, version, outcome))) return;
      if (goesOn)
        await this.outbox.add(
          manager,
          jobMessage(buildIndex, {
            rowId: id,
            version: version + 1,
            payload: { buildId: id, version: version + 1 },
          }),
        );
      else await this.directory.noteChange(manager);
    });
    if (!goesOn) await this.directory.tellNow();
  }
}
