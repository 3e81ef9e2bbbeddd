import {
  CarrelError,
  findRun,
  maxSyncFailures,
  runEndedChannel,
  servicePrincipal,
  syncConnection,
  type ConnectionRunWire,
  type FaultWire,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { defaultInterval, type SyncWorkerConfig } from "../sync-worker.config.ts";
import { SyncQueueRepository, type Claimed } from "../watch/sync-queue.repository.ts";
import { nextSync, nextTry } from "../watch/sync-schedule.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { GivingUp } from "./giving-up.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** How often a run is asked for, in case the broadcast of its end was lost. */
const pollMs = 10_000;
/** Until what couldn't be asked is tried again, in seconds. */
const awaySeconds = 60;

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
      const run = runId === undefined ? undefined : await this.untilEnd(runId, stopping);
      if (run !== undefined) await this.record(claimed, run);
    } catch (error) {
      if (error instanceof CarrelError && error.code === "source.not-found")
        return await this.watches.remove(claimed.id);
      await this.queue.finish(claimed, { status: "exited", dueIn: awaySeconds });
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

  /** null if the run was removed with its source; undefined if this replica stops first. */
  private async untilEnd(
    runId: string,
    stopping: AbortSignal,
  ): Promise<ConnectionRunWire | null | undefined> {
    const wake = (): void => this.waiting.get(runId)?.();
    stopping.addEventListener("abort", wake);
    try {
      while (!stopping.aborted) {
        const woken = new Promise<void>((resolve) => {
          this.waiting.set(runId, resolve);
        });
        const { run } = await this.client.request(findRun, { runId }, { scope });
        if (run === null || run.endedAt !== null) return run;
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

  private async record(claimed: Claimed, run: ConnectionRunWire | null): Promise<void> {
    const dueIn = (interval: number | null) => nextSync(interval ?? defaultInterval(this.config));
    // It may have been started long before, by somebody else or by this sync on another replica, and
    // may have listed what was changed since.
    const readSince = run?.startedAt ?? null;
    if (run === null || run.state === "cancelled") {
      await this.queue.finish(claimed, { status: "exited", dueIn, readSince });
    } else if (run.state === "finished") {
      await this.queue.finish(claimed, {
        status: "success",
        change: run.fetched > 0 ? "changed" : "unchanged",
        dueIn,
        readSince,
      });
    } else {
      const fault: FaultWire = run.fault ?? { code: "request.failed" };
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
}
