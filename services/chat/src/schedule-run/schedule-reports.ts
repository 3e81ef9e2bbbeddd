import { randomUUID } from "node:crypto";
import {
  eventLogged,
  scheduleReported,
  type EventPayload,
  type FaultWire,
} from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ScheduleRepository, type ScheduleRow } from "../schedule/schedule.repository.ts";

/** What reports say of a schedule. */
type ReportedSchedule = Pick<ScheduleRow, "id" | "userId" | "workspaceId" | "name">;
type Kind = EventPayload<typeof scheduleReported>["kind"];

/** Tells owners what happened to their schedules, in the transaction in which it happens. */
@Injectable()
export class ScheduleReports {
  constructor(
    private readonly outbox: Outbox,
    private readonly schedules: ScheduleRepository,
  ) {}

  /** @param threadSlug where its result is */
  async report(
    manager: EntityManager,
    schedule: ReportedSchedule,
    kind: Kind,
    o: { fault: FaultWire; threadSlug?: string | null },
  ): Promise<void> {
    await this.outbox.add(
      manager,
      eventMessage(scheduleReported, {
        id: randomUUID(),
        userId: schedule.userId,
        kind,
        name: schedule.name,
        fault: o.fault,
        scheduleId: schedule.id,
        workspaceId: schedule.workspaceId,
        threadSlug: o.threadSlug ?? null,
        at: new Date().toISOString(),
      }),
    );
  }

  /** For admins, too: without anything that people have written. */
  async log(
    manager: EntityManager,
    schedule: ReportedSchedule,
    event: "schedule_paused" | "schedule_calls_denied",
    metadata: Record<string, unknown>,
  ): Promise<void> {
    await this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: schedule.userId,
        metadata: { id: schedule.id, name: schedule.name, ...metadata },
        occurredAt: new Date().toISOString(),
      }),
    );
  }

  /** Pauses a schedule that can't run, until its owner resumes it. */
  async pause(manager: EntityManager, schedule: ReportedSchedule, fault: FaultWire): Promise<void> {
    if (!(await this.schedules.pause(manager, schedule.id, fault))) return;
    await this.report(manager, schedule, "schedule.paused", { fault });
    await this.log(manager, schedule, "schedule_paused", { reason: fault.code });
  }
}
