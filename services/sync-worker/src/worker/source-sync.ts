import {
  CarrelError,
  findRun,
  maxSyncFailures,
  runEndedChannel,
  servicePrincipal,
  syncConnection,
  type FaultWire,
  type Out,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { defaultInterval, type SyncWorkerConfig } from "../sync-worker.config.ts";
import { SyncQueueRepository, type Claimed } from "../watch/sync-queue.repository.ts";
import { nextSync, nextTry } from "../watch/sync-schedule.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { awaySeconds, isAwayOrLate } from "./away.ts";
import { GivingUp } from "./giving-up.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** How often a run is asked for, in case the broadcast of its end was lost. */
const pollMs = 10_000;

type Followed = Out<typeof findRun>;

/** Has whole sources brought up to date by runs of connectors, and records how those went. */
@Injectable()
export class SourceSync implements OnModuleDestroy {
  private readonly waiting = new Map<string, () => void>();
  private readonly stop: () => void;

  constructor(
    @Inject(CONFIG) private readonly config: SyncWorkerConfig,
    private readonly client: RequestClient,
    private readonly watches: WatchRepository,
    private readonly queue: SyncQueueRepository,
    private readonly givingUp: GivingUp,
    private readonly notice: WatchNotice,
    broadcast: Broadcast,
  ) {
    this.stop = broadcast.on(runEndedChannel, (payload) =>
      this.waiting.get((payload as { runId: string }).runId)?.(),
    );
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /** Ends early when `stopping` aborts: another replica then follows the same run. */
  async sync(claimed: Claimed, stopping: AbortSignal): Promise<void> {
    const workspaceIds = [claimed.workspaceId!];
    this.notice.announce(workspaceIds);
    try {
      const runId = claimed.sourceRunId ?? (await this.begin(claimed, stopping));
      const ended = runId === undefined ? undefined : await this.untilEnd(runId, stopping);
      if (ended !== undefined) await this.record(claimed, ended);
    } catch (error) {
      if (error instanceof CarrelError && error.code === "source.not-found")
        return await this.watches.remove(claimed.id);
      if (isAwayOrLate(error)) {
        const dueIn = error.retryAfter ?? awaySeconds;
        return void (await this.queue.finish(claimed, { status: "exited", dueIn }));
      }
      const isKnown = error instanceof CarrelError;
      await this.fail(claimed, isKnown ? error.toFault() : { code: "request.failed" }, null);
    } finally {
      this.notice.announce(workspaceIds);
    }
  }

  /** A run that only repeats what failed is waited for; undefined if this replica stops first. */
  private async begin(claimed: Claimed, stopping: AbortSignal): Promise<string | undefined> {
    const connectionId = claimed.connectionId!;
    for (;;) {
      const { run, isRetry } = await this.client.request(
        syncConnection,
        { connectionId },
        { scope },
      );
      if (!isRetry) {
        await this.queue.follow(claimed, run.id);
        return run.id;
      }
      if ((await this.untilEnd(run.id, stopping)) === undefined) return undefined;
    }
  }

  /** Without a run if it was removed with its source; undefined if this replica stops first. */
  private async untilEnd(runId: string, stopping: AbortSignal): Promise<Followed | undefined> {
    const wake = (): void => this.waiting.get(runId)?.();
    stopping.addEventListener("abort", wake);
    try {
      while (!stopping.aborted) {
        const woken = new Promise<void>((resolve) => {
          this.waiting.set(runId, resolve);
        });
        const followed = await this.client.request(findRun, { runId }, { scope });
        if (followed.run === null || followed.run.endedAt !== null) return followed;
        const timer = setTimeout(wake, pollMs);
        await woken;
        clearTimeout(timer);
      }
      return undefined;
    } finally {
      stopping.removeEventListener("abort", wake);
      this.waiting.delete(runId);
    }
  }

  private async record(claimed: Claimed, followed: Followed): Promise<void> {
    const { run } = followed;
    const dueIn = (interval: number | null) => nextSync(interval ?? defaultInterval(this.config));
    // It may have been started long before, by somebody else or by this sync on another replica, and
    // may have listed what was changed since.
    const readSince = run?.startedAt ?? null;
    if (run === null || run.state === "cancelled")
      return void (await this.queue.finish(claimed, { status: "exited", dueIn, readSince }));
    const fault = failureOf(run, followed.isWhole);
    if (fault !== null) return this.fail(claimed, fault, readSince);
    await this.queue.finish(claimed, {
      status: "success",
      change: run.fetched > 0 ? "changed" : "unchanged",
      // What is only partly up to date says so.
      fault: run.fault,
      dueIn,
      readSince,
    });
  }

  private async fail(claimed: Claimed, fault: FaultWire, readSince: string | null): Promise<void> {
    const failures = claimed.failures + 1;
    if (failures >= maxSyncFailures)
      return this.givingUp.giveUp(
        claimed,
        { workspaceIds: [claimed.workspaceId!], isRestricted: false },
        fault,
      );
    await this.queue.finish(claimed, {
      status: "failed",
      fault,
      dueIn: (interval) => nextTry(interval ?? defaultInterval(this.config), failures),
      readSince,
    });
  }
}

/**
 * Why a run failed; null if it didn't. One that had the whole source and could fetch none of it did,
 * and so did one that found everything moved elsewhere, whereas one item may fail for ever among
 * those that changed.
 */
function failureOf(run: NonNullable<Followed["run"]>, isWhole: boolean): FaultWire | null {
  if (run.state !== "finished") return run.fault ?? { code: "request.failed" };
  if (run.fetched + run.unchanged > 0) return null;
  if (run.fault?.code === "source.seems-down") return run.fault;
  return isWhole && run.failed > 0 ? { code: "watch.nothing-synced" } : null;
}
