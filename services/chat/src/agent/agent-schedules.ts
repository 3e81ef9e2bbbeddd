import type { Principal, WorkspaceScope } from "@carrel/contracts";
import { keyed } from "@carrel/messaging";
import type { SchedulePort } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";

/** What agents schedule for people. */
@Injectable()
export class AgentSchedules {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: ScheduleWriter,
    private readonly eventLog: EventLog,
  ) {}

  /** null for those who own nothing: keys and visitors. */
  portOf(scope: WorkspaceScope): SchedulePort | null {
    const { principal, workspace } = scope;
    if (!isOwner(principal)) return null;
    return {
      create: async ({ name, prompt, timing }, key) => {
        const { userId } = principal;
        const { fields, nextAt } = await this.writer.prepare(
          principal,
          {
            name,
            work: { kind: "agent", prompt, model: null },
            timing,
            missed: "once",
            delivery: { thread: "new", webhook: null, onlyWhenChanged: false },
            approvals: [],
          },
          null,
        );
        const id = await keyed(
          this.dataSource,
          { contract: "agent.schedule", scope, idempotencyKey: key },
          async (manager) => {
            const place = { workspaceId: workspace.id, userId, byAgent: true };
            const id = await this.writer.create(manager, place, fields);
            const entry = { id, name, kind: "agent", workspaceSlug: workspace.slug };
            await this.eventLog.record(manager, scope, "schedule_created", entry);
            return id;
          },
        );
        return { id, nextAt };
      },
    };
  }
}

const isOwner = ({ kind }: Principal): boolean => kind === "user" || kind === "instance";
