import type { ScheduleWork, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import type { PendingTurn } from "../generation/pending-turns.ts";
import { UnattendedStarts } from "../generation/unattended-starts.ts";
import type { ScheduleRow } from "../schedule/schedule.repository.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import type { ScheduledRun } from "./schedule-end.ts";
import { ScheduleRunRepository } from "./schedule-run.repository.ts";
import { ScheduleThreads, type ScheduleThread } from "./schedule-thread.ts";

type Question = Exclude<ScheduleWork, { kind: "flow" }>;

/** Asks the questions of runs that are due. */
@Injectable()
export class ScheduleQuestions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ScheduleRunRepository,
    private readonly threads: ScheduleThreads,
    private readonly questions: UnattendedStarts,
    private readonly changes: ThreadChanges,
  ) {}

  /** Throws RefusedError if a limit of its owner refuses it. */
  async ask(due: ScheduledRun, scope: WorkspaceScope, work: Question): Promise<void> {
    const written = await inTransaction(this.dataSource, (manager) =>
      this.write(manager, due, scope, work),
    );
    if (written === null) return;
    this.changes.announce(scope, "created", [written.threadSlug]);
    this.questions.begin(written.pending);
  }

  /** null if another job has started the run. */
  private async write(
    manager: EntityManager,
    { run, schedule }: ScheduledRun,
    scope: WorkspaceScope,
    work: Question,
  ): Promise<{ pending: PendingTurn; threadSlug: string } | null> {
    if (!(await this.runs.begin(manager, run.id))) return null;
    const thread = await this.openThread(manager, scope, schedule);
    const pending = await this.questions.write(manager, {
      generationId: run.id,
      scope,
      threadSlug: thread.slug,
      message: work.prompt,
      mode: work.kind === "agent" ? "automatic" : work.mode,
      model: work.model,
      timeZone: schedule.timing.timeZone,
      approvals: schedule.approvals,
    });
    await this.runs.setPlace(manager, run.id, {
      threadId: thread.id,
      turnId: pending.generation.turnId,
      scheduleId: schedule.id,
    });
    return { pending, threadSlug: thread.slug };
  }

  /** The thread of a question; a result that may not be delivered is archived until it is. */
  private async openThread(
    manager: EntityManager,
    scope: WorkspaceScope,
    schedule: ScheduleRow,
  ): Promise<ScheduleThread> {
    const thread = await this.threads.open(manager, scope, schedule);
    const mayBeRemoved = schedule.thread === "none" || schedule.onlyWhenChanged;
    if (schedule.thread !== "same" && mayBeRemoved)
      await manager.query("UPDATE chat.thread SET archived_at = now() WHERE id = $1", [thread.id]);
    return thread;
  }
}
