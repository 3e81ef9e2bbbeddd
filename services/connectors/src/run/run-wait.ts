import { CarrelError, runEndedChannel } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { ConnectionRun } from "../connection/connection-run.entity.ts";
import { RunRepository } from "../connection/run.repository.ts";

/** Interval at which a waiting request polls PostgreSQL, in case the broadcast was lost. */
const pollMs = 1_000;

/** Waits for runs, whichever replica has them. */
@Injectable()
export class RunWait implements OnModuleDestroy {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly stop: () => void;

  constructor(
    private readonly runs: RunRepository,
    broadcast: Broadcast,
  ) {
    this.stop = broadcast.on(runEndedChannel, (payload) => {
      const { runId } = payload as { runId: string };
      for (const wake of this.waiting.get(runId) ?? []) wake();
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /** Throws TIMEOUT when `signal` aborts; the run continues then. */
  async forEnd(id: string, signal: AbortSignal): Promise<ConnectionRun> {
    let wake: () => void = () => undefined;
    const listener = (): void => wake();
    const listeners = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, listeners.add(listener));
    signal.addEventListener("abort", listener, { once: true });
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const run = await this.runs.find(id);
        if (run === null) throw new CarrelError("request.given-up");
        if (run.endedAt !== null) return run;
        if (signal.aborted) throw new CarrelError("request.timed-out");
        const timer = setTimeout(() => wake(), pollMs);
        await woken;
        clearTimeout(timer);
      }
    } finally {
      signal.removeEventListener("abort", listener);
      listeners.delete(listener);
      if (listeners.size === 0) this.waiting.delete(id);
    }
  }
}
