import {
  buildIndex,
  renderFault,
  servicePrincipal,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { Outbox, Process, ProcessFailed, jobMessage, type JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { ProviderError } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { VectorStoreError } from "@carrel/vector-store";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EmbeddingModels, type NamedModel } from "../embedding/embedding-models.ts";
import { DocumentCopier } from "./document-copier.ts";
import { Embedder } from "./embedder.ts";
import { IndexBuildRepository, type TurnOutcome } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository, type MissingDocument } from "./index-entry.repository.ts";
import { IndexStore } from "./index-store.ts";
import { IndexSwitch } from "./index-switch.ts";
import type { SearchIndex } from "./search-index.ts";

const buildRetryMs = { soon: 15_000, later: 60_000 };

/**
 * Why a build can't continue now. `retryMs` is null if retrying is pointless until an admin changes
 * something.
 */
class IndexBuildError extends Error {
  constructor(
    readonly fault: KnownFault,
    readonly retryMs: number | null,
    cause?: unknown,
  ) {
    super(renderFault(fault), { cause });
  }
}

/** Maps any build failure to the message shown to admins and a retry delay. */
function toIndexBuildError(fault: unknown): IndexBuildError {
  if (fault instanceof IndexBuildError) return fault;
  if (fault instanceof ProviderError)
    return new IndexBuildError(
      fault.fault,
      fault.isRetryable || fault.kind === "aborted"
        ? Math.max(fault.retryAfterMs ?? 0, buildRetryMs.soon)
        : null,
      fault,
    );
  if (fault instanceof VectorStoreError)
    return new IndexBuildError(fault.fault, fault.isRetryable ? buildRetryMs.soon : null, fault);
  return new IndexBuildError({ code: "index.build-interrupted" }, buildRetryMs.later, fault);
}
const pageSize = 64;
/** Documents copied concurrently. */
const concurrency = 4;
/** If the embedder refuses this many documents in a row, the problem isn't the documents. */
const maxRefusals = 5;

/** One job's turn at a build. */
interface BuildTurn {
  building: SearchIndex;
  version: number;
  named: NamedModel | null;
  signal: AbortSignal;
  /** `performance.now()` at which the turn ends. */
  until: number;
  /** Documents that the embedder refused during this turn. */
  refused: Map<number, ProviderError>;
}

/** Copies documents missing from an index, using the stored text. */
@Injectable()
export class IndexFiller {
  constructor(
    private readonly directory: IndexDirectory,
    private readonly builds: IndexBuildRepository,
    private readonly entries: IndexEntryRepository,
    private readonly embedder: Embedder,
    private readonly models: EmbeddingModels,
    private readonly copier: DocumentCopier,
  ) {}

  /** The index's embedder, ready to be called. Throws IndexBuildError if it isn't. */
  async findModel(building: SearchIndex): Promise<NamedModel | null> {
    if (building.embedder === null) return null;
    const named = await this.embedder.modelOf(building);
    if (!named) throw new IndexBuildError({ code: "index.embedder-settings-unusable" }, null);
    if (await this.models.isReady(named)) return named;
    const { fault } = await this.models.nativeState(named.model);
    throw new IndexBuildError(fault ?? { code: "embedder.downloading" }, buildRetryMs.soon);
  }

  /**
   * Copies until nothing is missing ("complete"), the turn is over ("paused"), or another job owns
   * the build ("lost").
   */
  async fill(turn: BuildTurn): Promise<"complete" | "paused" | "lost"> {
    for (let after = 0; ;) {
      const page = await this.entries.listMissing(scope, turn.building.id, after, pageSize);
      if (page.length === 0) return "complete";
      after = page.at(-1)!.id;
      if (!(await this.copyAll(turn, page))) return "lost";
      if (performance.now() > turn.until || turn.signal.aborted) return "paused";
    }
  }

  /** Copies what is still missing if that is at most `limit` documents; false if there are more. */
  async fillRest(turn: BuildTurn, limit: number): Promise<boolean> {
    const missing = await this.entries.listMissing(
      scope,
      turn.building.id,
      0,
      limit + turn.refused.size + 1,
    );
    const rest = missing.filter(({ id }) => !turn.refused.has(id));
    if (rest.length > limit) return false;
    await this.copyAll(turn, rest);
    return true;
  }

  /** False if this job no longer owns the build. */
  private async copyAll(turn: BuildTurn, documents: MissingDocument[]): Promise<boolean> {
    const { building, version, named, signal, until, refused } = turn;
    const active = await this.directory.active();
    const withText = active.textPlace !== building.textPlace;
    let next = 0;
    let isOurs = true;
    let refusals = 0;
    const worker = async (): Promise<void> => {
      while (isOurs && next < documents.length && !signal.aborted && performance.now() < until) {
        const document = documents[next++]!;
        const started = performance.now();
        let chunks = 0;
        try {
          chunks = await this.copier.copy(building, document, { named, withText, signal });
          refusals = 0;
        } catch (fault) {
          if (!isRefusal(fault) || ++refusals >= maxRefusals) throw fault;
          refused.set(document.id, fault);
        }
        isOurs &&= await this.builds.noteBuilt(scope, building.id, version, {
          chunks,
          ms: (performance.now() - started) / concurrency,
        });
        this.directory.announceProgress();
      }
    };
    const workers = await Promise.allSettled(
      Array.from({ length: Math.min(concurrency, documents.length) }, worker),
    );
    for (const end of workers) if (end.status === "rejected") throw end.reason;
    return isOurs;
  }
}

const isRefusal = (fault: unknown): fault is ProviderError =>
  fault instanceof ProviderError && (fault.kind === "invalid" || fault.kind === "context-length");

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
