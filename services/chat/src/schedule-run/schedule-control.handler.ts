import {
  CarrelError,
  deleteSchedule,
  setScheduleActive,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { EventLog } from "../event-log/event-log.module.ts";
import { OwnerScopes } from "../owner/owner.module.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import { ScheduleRepository } from "../schedule/schedule.repository.ts";
import { ScheduleRunStop } from "./schedule-stop.ts";
import { ScheduleViews } from "./schedule-views.ts";

/** Pauses, resumes and deletes schedules. */
@Controller()
export class ScheduleControlHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly schedules: ScheduleRepository,
    private readonly writer: ScheduleWriter,
    private readonly views: ScheduleViews,
    private readonly owners: OwnerScopes,
    private readonly stop: ScheduleRunStop,
    private readonly eventLog: EventLog,
  ) {}

  @Handle(setScheduleActive)
  async setActive(
    { id, active }: In<typeof setScheduleActive>,
    ctx: RequestContext,
  ): Promise<Out<typeof setScheduleActive>> {
    await (active ? this.resume(id, ctx) : this.pause(id, ctx));
    const { scope } = ctx;
    return { schedule: await this.views.describe(scope, await this.schedules.find(scope, id)) };
  }

  @Handle(deleteSchedule)
  async delete(
    { id }: In<typeof deleteSchedule>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteSchedule>> {
    const open = await inTransaction(this.dataSource, async (manager) => {
      const row = await this.schedules.find(scope, id, manager);
      const open = await this.stop.findOpen(manager, id);
      await this.schedules.delete(manager, id);
      await this.eventLog.record(manager, scope, "schedule_deleted", { id, name: row.name });
      return open === null ? null : { run: open, schedule: row };
    });
    if (open !== null) await this.stop.stopWork(open);
    return { success: true };
  }

  private async pause(id: string, { scope }: RequestContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { name } = await this.schedules.find(scope, id, manager);
      if (await this.schedules.pause(manager, id, null))
        await this.eventLog.record(manager, scope, "schedule_paused", { id, name });
    });
  }

  private async resume(id: string, { scope }: RequestContext): Promise<void> {
    const { userId, workspaceId, work } = await this.schedules.findOwn(scope, id);
    const owner = await this.owners.find(userId, workspaceId);
    if (owner.fault !== null) throw CarrelError.fromFault(owner.fault);
    if (work.kind === "flow" && !(await this.writer.mayRun(work.flowId, owner.scope.principal)))
      throw new CarrelError("schedule.flow-unavailable");
    await this.dataSource.transaction(async (manager) => {
      const row = await this.schedules.findOwn(scope, id, manager);
      if (row.active) return;
      await this.schedules.resume(manager, id, await this.writer.findNext(row));
      await this.eventLog.record(manager, scope, "schedule_resumed", { id, name: row.name });
    });
  }
}
