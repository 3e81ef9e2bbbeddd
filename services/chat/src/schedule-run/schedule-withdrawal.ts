import { flowWithdrawn, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { OwnerScopes } from "../owner/owner.module.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import { ScheduleRepository } from "../schedule/schedule.repository.ts";
import { ScheduleReports } from "./schedule-reports.ts";

/** Pauses the schedules of flows that their owners may no longer run. */
@Injectable()
export class ScheduleWithdrawal {
  constructor(
    private readonly dataSource: DataSource,
    private readonly schedules: ScheduleRepository,
    private readonly writer: ScheduleWriter,
    private readonly owners: OwnerScopes,
    private readonly reports: ScheduleReports,
  ) {}

  @Consume(flowWithdrawn)
  async pause({ flowId }: EventPayload<typeof flowWithdrawn>): Promise<void> {
    for (const schedule of await this.schedules.listActiveOf(flowId)) {
      const { scope } = await this.owners.find(schedule.userId, schedule.workspaceId);
      // Without their rights, the next run pauses it with that reason.
      if (scope === null || (await this.writer.mayRun(flowId, scope.principal))) continue;
      await this.dataSource.transaction((manager) =>
        this.reports.pause(manager, schedule, { code: "schedule.paused-flow" }),
      );
    }
  }
}
