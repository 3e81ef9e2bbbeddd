import { randomUUID } from "node:crypto";
import {
  CarrelError,
  advanceApproval,
  allowDeniedCall,
  cancelScheduleRun,
  cursorTime,
  cutPage,
  getScheduleRun,
  listScheduleRuns,
  longestDestination,
  readCursor,
  runSchedule,
  type In,
  type Out,
  type ScheduleRunWire,
} from "@carrel/contracts";
import { Handle, Outbox, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { EventLog } from "../event-log/event-log.module.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import { ScheduleRepository } from "../schedule/schedule.repository.ts";
import { startMessage } from "./schedule-clock.ts";
import { ScheduleRunRepository, mapRun, type ScheduleRunRow } from "./schedule-run.repository.ts";
import { ScheduleRunStop } from "./schedule-stop.ts";

const mostApprovals = 100;
const place = z.tuple([cursorTime, z.uuid()]);

/** Runs of schedules. */
@Controller()
export class ScheduleRunHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly writer: ScheduleWriter,
    private readonly stop: ScheduleRunStop,
    private readonly outbox: Outbox,
    private readonly eventLog: EventLog,
  ) {}

  @Handle(runSchedule)
  async run({ id }: In<typeof runSchedule>, ctx: RequestContext): Promise<Out<typeof runSchedule>> {
    await this.writer.checkSwitch();
    return keyed(this.dataSource, ctx, async (manager) => {
      const schedule = await this.schedules.findOwn(ctx.scope, id, manager);
      if ((await this.runs.findOpen(manager, id)) !== null)
        throw new CarrelError("schedule.is-running");
      const runId = randomUUID();
      await this.runs.add(manager, [
        { id: runId, scheduleId: id, dueAt: new Date(), reason: "manual", state: "due" },
      ]);
      await this.outbox.add(manager, startMessage(runId, schedule.userId));
      return { runId };
    });
  }

  @Handle(listScheduleRuns)
  async list(
    { id, cursor, limit }: In<typeof listScheduleRuns>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listScheduleRuns>> {
    const { approvals, userId } = await this.schedules.find(scope, id);
    const isOwner = userId === scope.principal.userId;
    const after = cursor === undefined ? null : readPlace(cursor);
    const found = await this.runs.list(id, { after, limit: limit + 1 });
    const { page, nextCursor } = cutPage(found, limit, (row) => [row.dueAt.toISOString(), row.id]);
    const runs = page.map((row) => mapRun(row, approvals));
    return { runs: isOwner ? runs : runs.map(withoutDetails), nextCursor };
  }

  @Handle(getScheduleRun)
  async get(
    { id, runId }: In<typeof getScheduleRun>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getScheduleRun>> {
    const { approvals } = await this.schedules.findOwn(scope, id);
    const run = await this.findRun(id, runId);
    return { run: mapRun(run, approvals), text: await this.runs.findResult(runId) };
  }

  @Handle(cancelScheduleRun)
  async cancel(
    { id, runId }: In<typeof cancelScheduleRun>,
    { scope }: RequestContext,
  ): Promise<Out<typeof cancelScheduleRun>> {
    const schedule = await this.schedules.find(scope, id);
    await this.findRun(id, runId);
    return { success: await this.stop.stop(runId, schedule) };
  }

  @Handle(allowDeniedCall)
  async allow(
    { id, runId, call }: In<typeof allowDeniedCall>,
    { scope }: RequestContext,
  ): Promise<Out<typeof allowDeniedCall>> {
    await this.schedules.findOwn(scope, id);
    const denied = (await this.findRun(id, runId)).denied[call];
    return this.dataSource.transaction(async (manager) => {
      const { name, approvals } = await this.schedules.findOwn(scope, id, manager);
      if (denied === undefined) throw new CarrelError("schedule.call-not-found");
      const { tool, destination } = denied;
      if (!advanceApproval.safeParse(denied).success)
        throw new CarrelError("schedule.call-too-long", { limit: longestDestination });
      if (approvals.some((each) => each.tool === tool && each.destination === destination))
        return { approvals };
      if (approvals.length >= mostApprovals)
        throw new CarrelError("schedule.approvals-full", { limit: mostApprovals });
      const added = [...approvals, { tool, destination }];
      await this.schedules.setApprovals(manager, id, added);
      await this.eventLog.record(manager, scope, "schedule_call_allowed", { id, name, tool });
      return { approvals: added };
    });
  }

  private async findRun(scheduleId: string, runId: string): Promise<ScheduleRunRow> {
    const run = await this.runs.find(runId);
    if (run?.scheduleId !== scheduleId) throw new CarrelError("schedule.run-not-found");
    return run;
  }
}

/** What would have been sent is for the owner, like results. */
const withoutDetails = (run: ScheduleRunWire): ScheduleRunWire => ({
  ...run,
  denied: run.denied.map((call) => ({ ...call, details: [] })),
});

function readPlace(cursor: string): { dueAt: string; id: string } {
  const [dueAt, id] = readCursor(place, cursor);
  return { dueAt, id };
}
