import { connectionsChannel, runEndedChannel, type ConnectionFrame } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { mapRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { RunRepository } from "../connection/run.repository.ts";

/** How often the progress of a run is reported. */
const reportMs = 1_000;

type Place = Pick<Connection, "workspaceId" | "isOnce">;

/** Reports runs to the pages that show them. */
@Injectable()
export class RunProgress implements OnModuleDestroy {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly runs: RunRepository,
    private readonly broadcast: Broadcast,
  ) {}

  onModuleDestroy(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  /** The run has moved; reported soon, together with what moves until then. */
  note(connection: Place, runId: string): void {
    if (this.timers.has(runId)) return;
    const timer = setTimeout(() => {
      this.timers.delete(runId);
      // The next report or the page's next visit shows it.
      this.report(connection, runId).catch(() => undefined);
    }, reportMs).unref();
    this.timers.set(runId, timer);
  }

  /** Reports the run now, and wakes whoever waits for its end. */
  async report(connection: Place, runId: string): Promise<void> {
    const run = await this.runs.find(runId);
    if (run === null) return;
    if (run.endedAt !== null) await this.broadcast.publish(runEndedChannel, { runId });
    await this.send(connection, { type: "connection_run", run: mapRun(run) });
  }

  /** Nobody sees what is imported once. */
  async send({ workspaceId, isOnce }: Place, frame: ConnectionFrame): Promise<void> {
    if (workspaceId !== null && !isOnce)
      await this.broadcast.publish(connectionsChannel(workspaceId), frame);
  }
}
