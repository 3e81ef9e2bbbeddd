import {
  cutPage,
  getSchedule,
  listSchedules,
  previewSchedule,
  readCursor,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { checkTiming, listNextRuns } from "../schedule/schedule-time.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import { ScheduleRepository } from "../schedule/schedule.repository.ts";
import { ScheduleViews } from "./schedule-views.ts";

/** How many of the next runs a preview shows. */
const previewedRuns = 5;

// PostgreSQL stores neither null characters nor half a surrogate pair.
const sortName = z.string().regex(/^[^\0\p{Surrogate}]*$/u);
const place = z.tuple([sortName, z.uuid()]);

function readPlace(cursor: string): { name: string; id: string } {
  const [name, id] = readCursor(place, cursor);
  return { name, id };
}

/** Lists schedules and previews their times. */
@Controller()
export class ScheduleHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly schedules: ScheduleRepository,
    private readonly writer: ScheduleWriter,
    private readonly views: ScheduleViews,
  ) {}

  @Handle(listSchedules)
  async list(
    { of, cursor, limit, flowId }: In<typeof listSchedules>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listSchedules>> {
    const after = cursor === undefined ? null : readPlace(cursor);
    const found = await this.schedules.list(scope, of, { after, limit: limit + 1, flowId });
    const { page, nextCursor } = cutPage(found, limit, ({ sortName, id }) => [sortName, id]);
    const used = await this.schedules.count(this.dataSource.manager, scope.principal.userId);
    return {
      schedules: await this.views.describeList(scope, page),
      nextCursor,
      total: await this.schedules.countListed(scope, of, flowId),
      enabled: await this.writer.isOn(),
      limit: await this.writer.findLimit(),
      used,
      defaultLimit: this.writer.defaultLimit,
      minimumSeconds: this.writer.minimumSeconds,
    };
  }

  @Handle(getSchedule)
  async get(
    { id }: In<typeof getSchedule>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getSchedule>> {
    return {
      schedule: await this.views.describe(scope, await this.schedules.find(scope, id)),
    };
  }

  @Handle(previewSchedule)
  preview({ timing }: In<typeof previewSchedule>): Out<typeof previewSchedule> {
    const now = new Date();
    checkTiming(timing, now, this.writer.minimumSeconds);
    return {
      runs: listNextRuns(timing, now, previewedRuns).map((run) => run.toISOString()),
    };
  }
}
