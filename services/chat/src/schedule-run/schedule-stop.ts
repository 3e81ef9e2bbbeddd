import type { Principal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { FlowRuns } from "../flow-run/flow-runs.ts";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import type { ScheduleRow } from "../schedule/schedule.repository.ts";
import type { ScheduledRun } from "./schedule-end.ts";
import { ScheduleRunRepository, type ScheduleRunRow } from "./schedule-run.repository.ts";

/** Stops runs, whoever asks for it. */
@Injectable()
export class ScheduleRunStop {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ScheduleRunRepository,
    private readonly stopper: GenerationStopper,
    private readonly flowRuns: FlowRuns,
  ) {}

  /** The run of a schedule that hasn't ended, if any; locked, so that it can't start until the transaction ends. */
  findOpen(manager: EntityManager, scheduleId: string): Promise<ScheduleRunRow | null> {
    return this.runs.findOpen(manager, scheduleId);
  }

  /** False if it had ended. */
  async stop(runId: string, schedule: ScheduleRow): Promise<boolean> {
    const run = await inTransaction(this.dataSource, async (manager) => {
      // Waits for a start in progress, and then knows what it has started.
      const locked = await this.runs.find(runId, manager);
      if (locked?.state === "due") await this.runs.cancelDue(manager, runId);
      return locked;
    });
    if (run?.state === "due") return true;
    return run?.state === "running" && this.stopWork({ run, schedule });
  }

  /** Stops what a run has started; its end is then recorded like any other. */
  async stopWork({ run, schedule }: ScheduledRun): Promise<boolean> {
    if (run.flowRunId !== null) return this.flowRuns.cancel({ id: run.flowRunId });
    const { userId } = schedule;
    // Runs belong to their owners, whoever stops them.
    const principal: Principal = {
      kind: userId === null ? "instance" : "user",
      userId,
      role: "none",
    };
    return this.stopper.stop({ principal, workspace: null }, run.id);
  }
}
