import {
  clipText,
  endScheduleRun,
  flowRunEnded,
  hasFlowRunEnded,
  maxScheduleFailures,
  postScheduleResult,
  type EventPayload,
  type FaultWire,
  type JobPayload,
} from "@carrel/contracts";
import {
  Consume,
  Outbox,
  Process,
  ProcessFailed,
  jobMessage,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { ScheduleRepository, type ScheduleRow } from "../schedule/schedule.repository.ts";
import { ScheduleFlows, describeFlow, faultOf, type ScheduledFlow } from "./schedule-flow.ts";
import { ScheduleReports } from "./schedule-reports.ts";
import {
  ScheduleResults,
  hashResult,
  listDenied,
  longestResult,
  readResult,
} from "./schedule-result.ts";
import {
  ScheduleRunRepository,
  type RunAnswer,
  type RunEnding,
  type ScheduleRunRow,
} from "./schedule-run.repository.ts";

export interface ScheduledRun {
  run: ScheduleRunRow;
  schedule: ScheduleRow;
}

/** What there is to deliver. */
interface Outcome {
  state: "done" | "failed" | "cancelled";
  fault: FaultWire | null;
  text: string;
  denied: ScheduleRunRow["denied"];
  /** Where it is in the app; null for flows. */
  answer: RunAnswer | null;
  /** null unless a flow has a result. */
  flow: ScheduledFlow | null;
}

/** Where a result is; `announce` is called after the commit. */
interface Place {
  threadSlug: string | null;
  announce: () => void;
}

const nothing = (): void => undefined;

/** Ends runs: delivers what they say, tells their owners, and pauses schedules that keep failing. */
@Injectable()
export class ScheduleRunEnd {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ScheduleRunRepository,
    private readonly schedules: ScheduleRepository,
    private readonly results: ScheduleResults,
    private readonly reports: ScheduleReports,
    private readonly outbox: Outbox,
    private readonly flows: ScheduleFlows,
  ) {}

  async find(runId: string): Promise<ScheduledRun | null> {
    const run = await this.runs.find(runId);
    const schedule = run === null ? null : await this.schedules.findAny(run.scheduleId);
    return run === null || schedule === null ? null : { run, schedule };
  }

  async skip(run: ScheduleRunRow, fault: FaultWire): Promise<void> {
    await this.dataSource.transaction((manager) =>
      this.runs.end(manager, run, { state: "skipped", fault }),
    );
  }

  /** The run can't start, and no other could: the schedule pauses. */
  async giveUp({ run, schedule }: ScheduledRun, fault: FaultWire): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (await this.runs.end(manager, run, { state: "skipped", fault }))
        await this.reports.pause(manager, schedule, fault);
    });
  }

  /** The run didn't start, or its end can't be recorded. */
  async fail({ run, schedule }: ScheduledRun, fault: FaultWire): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (await this.runs.end(manager, run, { state: "failed", fault }))
        await this.noteFailure(manager, schedule, { fault, threadSlug: null, isTold: false });
    });
  }

  /** A run of a flow has the ID of the schedule's run that started it. */
  @Consume(flowRunEnded)
  async endFlow({ runId, trigger }: EventPayload<typeof flowRunEnded>): Promise<void> {
    if (trigger === "schedule") await this.end({ runId });
  }

  @Process(endScheduleRun, { concurrency: 8 })
  async end({ runId }: Pick<JobPayload<typeof endScheduleRun>, "runId">): Promise<void> {
    const flow = await this.flows.find(runId);
    const announce = await inTransaction(this.dataSource, async (manager) => {
      const found = await this.lock(manager, runId);
      if (found === null) return nothing;
      if (found.run.flowRunId !== null)
        return flow !== null && !hasFlowRunEnded(flow.run.state)
          ? nothing
          : this.close(manager, found, readFlow(flow));
      const answer = await this.runs.findAnswer(manager, runId);
      if (answer?.state === "queued" || answer?.state === "running") return nothing;
      return this.close(manager, found, readOutcome(answer));
    });
    announce();
  }

  @ProcessFailed(endScheduleRun)
  async lose({ runId }: JobPayload<typeof endScheduleRun>): Promise<void> {
    const found = await this.find(runId);
    if (found?.run.state === "running") await this.fail(found, { code: "schedule.result-lost" });
  }

  /** Locks schedule and run; null if it isn't running. */
  private async lock(manager: EntityManager, runId: string): Promise<ScheduledRun | null> {
    const scheduleId = await this.runs.findSchedule(manager, runId);
    if (scheduleId === null) return null;
    const schedule = await this.schedules.findAny(scheduleId, manager);
    const run = await this.runs.find(runId, manager);
    return schedule === null || run?.state !== "running" ? null : { run, schedule };
  }

  /** Returns what to announce after the commit. */
  private async close(
    manager: EntityManager,
    { run, schedule }: ScheduledRun,
    outcome: Outcome,
  ): Promise<() => void> {
    const { state, fault, text, denied, answer } = outcome;
    const ending: RunEnding = { state, fault, denied, result: text === "" ? null : text };
    let place: Place = { threadSlug: answer?.threadSlug ?? null, announce: nothing };
    if (state === "done") {
      ending.resultHash = hashResult(text);
      const isSame = schedule.onlyWhenChanged && ending.resultHash === schedule.deliveredHash;
      if (isSame) ending.state = "unchanged";
      else await this.deliver(manager, schedule, ending);
      const isKept = !isSame && schedule.thread !== "none";
      place = await this.put(manager, { run, schedule }, outcome, isKept);
      if (isKept) await this.tellResult(manager, schedule, place.threadSlug);
    } else if (answer !== null)
      place.announce = await this.results[schedule.thread === "none" ? "remove" : "show"](
        manager,
        answer,
      );
    const { threadSlug, announce } = place;
    await this.runs.end(manager, run, ending);
    if (state === "failed" && fault !== null)
      await this.noteFailure(manager, schedule, { fault, threadSlug, isTold: denied.length > 0 });
    if (state === "done")
      await manager.query("UPDATE chat.schedule SET failures = 0 WHERE id = $1", [schedule.id]);
    if (ending.isPosted === true)
      await this.outbox.add(manager, postMessage({ id: run.id, scheduleId: schedule.id }));
    if (denied.length > 0) await this.tellDenied(manager, schedule, denied, threadSlug);
    return announce;
  }

  /** Puts a result where its owner reads it, or takes it away. */
  private async put(
    manager: EntityManager,
    { run, schedule }: ScheduledRun,
    { text, answer, flow }: Outcome,
    isKept: boolean,
  ): Promise<Place> {
    if (answer !== null)
      return {
        threadSlug: answer.threadSlug,
        announce: await this.results[isKept ? "show" : "remove"](manager, answer),
      };
    if (!isKept || flow?.scope == null || text === "")
      return { threadSlug: null, announce: nothing };
    const added = await this.results.add(manager, flow.scope, schedule, {
      question: describeFlow(flow.run),
      answer: text,
    });
    await this.runs.setThread(manager, run.id, added.threadId);
    return added;
  }

  private async deliver(
    manager: EntityManager,
    schedule: ScheduleRow,
    ending: RunEnding,
  ): Promise<void> {
    await manager.query("UPDATE chat.schedule SET delivered_hash = $2 WHERE id = $1", [
      schedule.id,
      ending.resultHash,
    ]);
    ending.isPosted = schedule.sealedWebhook !== null;
  }

  private tellResult(
    manager: EntityManager,
    schedule: ScheduleRow,
    threadSlug: string | null,
  ): Promise<void> {
    const fault = { code: "schedule.result-delivered" };
    return this.reports.report(manager, schedule, "schedule.delivered", { fault, threadSlug });
  }

  private async tellDenied(
    manager: EntityManager,
    schedule: ScheduleRow,
    denied: ScheduleRunRow["denied"],
    threadSlug: string | null,
  ): Promise<void> {
    const fault = { code: "schedule.calls-denied", params: { count: denied.length } };
    await this.reports.report(manager, schedule, "schedule.denied", { fault, threadSlug });
    await this.reports.log(manager, schedule, "schedule_calls_denied", {
      tools: [...new Set(denied.map(({ tool }) => tool))].join(" "),
      count: denied.length,
    });
  }

  private async noteFailure(
    manager: EntityManager,
    schedule: ScheduleRow,
    o: {
      fault: FaultWire;
      threadSlug: string | null;
      /** Whether another notice says it. */
      isTold: boolean;
    },
  ): Promise<void> {
    await manager.query("UPDATE chat.schedule SET failures = failures + 1 WHERE id = $1", [
      schedule.id,
    ]);
    const count = schedule.failures + 1;
    if (count >= maxScheduleFailures && schedule.active)
      await this.reports.pause(manager, schedule, {
        code: "schedule.paused-failures",
        params: { count },
      });
    else if (!o.isTold) await this.reports.report(manager, schedule, "schedule.failed", o);
  }
}

/** Its result or its question was deleted before the run ended. */
const lost: Outcome = {
  state: "failed",
  fault: { code: "schedule.result-lost" },
  text: "",
  denied: [],
  answer: null,
  flow: null,
};

/** @param flow null: it was deleted before it ended */
function readFlow(flow: ScheduledFlow | null): Outcome {
  if (flow === null) return lost;
  const { run } = flow;
  return {
    state: run.state === "done" || run.state === "cancelled" ? run.state : "failed",
    fault: faultOf(run),
    text: clipText(run.output ?? "", longestResult),
    denied: run.denied === null ? [] : [run.denied],
    answer: null,
    flow,
  };
}

/** @param answer null: it was deleted before it ended */
const readOutcome = (answer: RunAnswer | null): Outcome =>
  answer === null
    ? lost
    : {
        state: answer.state as Outcome["state"],
        // Answers stored before failures had codes have none.
        fault: answer.state === "failed" ? (answer.fault ?? { code: "request.failed" }) : null,
        text: readResult(answer),
        denied: listDenied(answer.steps),
        answer,
        flow: null,
      };

export const postMessage = ({
  id,
  scheduleId,
}: {
  id: string;
  scheduleId: string;
}): OutboxMessage =>
  jobMessage(postScheduleResult, {
    rowId: id,
    version: 1,
    payload: { runId: id, scheduleId },
  });

export const endMessage = (runId: string, userId: number | null): OutboxMessage =>
  jobMessage(endScheduleRun, {
    rowId: runId,
    version: 1,
    payload: { runId, owner: String(userId ?? "") },
  });
