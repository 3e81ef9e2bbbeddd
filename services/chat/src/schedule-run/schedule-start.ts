import {
  CarrelError,
  startScheduleRun,
  type FaultWire,
  type JobPayload,
  type ScheduleWork,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Process, ProcessFailed } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { FlowRuns } from "../flow-run/flow-runs.ts";
import { RefusedError } from "../generation/pending-turns.ts";
import { OwnerScopes } from "../owner/owner.module.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ScheduleRunEnd, type ScheduledRun } from "./schedule-end.ts";
import { ScheduleQuestions } from "./schedule-question.ts";
import { ScheduleRunRepository } from "./schedule-run.repository.ts";

type Question = Exclude<ScheduleWork, { kind: "flow" }>;
type Flow = Extract<ScheduleWork, { kind: "flow" }>;

/** Starts runs that are due: what they do, they do in one transaction with becoming _running_. */
@Injectable()
export class ScheduleRunStart {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ScheduleRunRepository,
    private readonly end: ScheduleRunEnd,
    private readonly writer: ScheduleWriter,
    private readonly owners: OwnerScopes,
    private readonly questions: ScheduleQuestions,
    private readonly flowRuns: FlowRuns,
  ) {}

  @Process(startScheduleRun, { concurrency: 8 })
  async start({ runId }: JobPayload<typeof startScheduleRun>): Promise<void> {
    const due = await this.end.find(runId);
    if (due?.run.state !== "due") return;
    const { run, schedule } = due;
    if (!(await this.writer.isOn())) return this.end.skip(run, { code: "schedule.skipped-off" });
    if (!schedule.active && run.reason !== "manual")
      return this.end.skip(run, { code: "schedule.skipped-paused" });
    // With the rights that its owner has now.
    const { scope, fault } = await this.owners.find(schedule.userId, schedule.workspaceId);
    if (fault !== null) return this.end.giveUp(due, fault);
    const { work } = schedule;
    if (work.kind === "flow") {
      if (!(await this.writer.mayRun(work.flowId, scope.principal)))
        return this.end.giveUp(due, { code: "schedule.paused-flow" });
      return this.startFlow(due, work);
    }
    await this.ask(due, inWorkspace(scope), work);
  }

  @ProcessFailed(startScheduleRun)
  async fail({ runId }: JobPayload<typeof startScheduleRun>): Promise<void> {
    const due = await this.end.find(runId);
    if (due?.run.state === "due") await this.end.fail(due, { code: "schedule.start-failed" });
  }

  private async startFlow(
    { run, schedule }: ScheduledRun,
    { flowId, inputs }: Flow,
  ): Promise<void> {
    const { id } = run;
    try {
      await inTransaction(this.dataSource, async (manager) => {
        if (!(await this.runs.begin(manager, id))) return;
        const { userId: ownerId, workspaceId, approvals } = schedule;
        const started = { id, flowId, inputs, ownerId, workspaceId, approvals };
        await this.flowRuns.start(manager, { ...started, trigger: "schedule" });
        await this.runs.setPlace(manager, id, { flowRunId: id });
      });
    } catch (error) {
      if (!(error instanceof CarrelError) || error.isRetryable) throw error;
      await this.end.fail({ run, schedule }, error.toFault());
    }
  }

  private async ask(due: ScheduledRun, scope: WorkspaceScope, work: Question): Promise<void> {
    try {
      await this.questions.ask(due, scope, work);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      await this.end.fail(due, error.fault as FaultWire);
    }
  }
}
