import {
  CarrelError,
  listedPromptLength,
  type AdvanceApproval,
  type FaultWire,
  type ListedScheduleWire,
  type Scope,
  type ScheduleTiming,
  type ScheduleWire,
  type ScheduleWork,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** What a schedule says, with its secrets sealed. */
export interface ScheduleFields {
  name: string;
  work: ScheduleWork;
  timing: ScheduleTiming;
  missed: ScheduleWire["missed"];
  thread: ScheduleWire["delivery"]["thread"];
  onlyWhenChanged: boolean;
  /** The address: many services put a secret into it. */
  sealedWebhook: string | null;
  /** Absent from a change that keeps the stored one. */
  sealedSecret?: string | null;
  approvals: AdvanceApproval[];
  nextAt: Date | null;
}

export interface ScheduleRow extends ScheduleFields {
  id: string;
  workspaceId: number;
  /** Its owner; null on an instance without accounts. */
  userId: number | null;
  byAgent: boolean;
  active: boolean;
  pausedReason: FaultWire | null;
  failures: number;
  /** Of results that are all in one thread. */
  threadId: number | null;
  /** Of the last delivered result. */
  deliveredHash: string | null;
  createdAt: Date;
  updatedAt: Date;
}
export type NewSchedule = ScheduleFields &
  Pick<ScheduleRow, "id" | "workspaceId" | "userId" | "byAgent">;

const columns = `id, workspace_id AS "workspaceId", user_id AS "userId", name, work, timing, missed,
  thread, only_when_changed AS "onlyWhenChanged", sealed_webhook AS "sealedWebhook",
  sealed_secret AS "sealedSecret", approvals, by_agent AS "byAgent", active,
  paused_reason AS "pausedReason", next_at AS "nextAt", failures, thread_id AS "threadId",
  delivered_hash AS "deliveredHash", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Without what may be long. */
export type ListedSchedule = Omit<ScheduleRow, "work" | "approvals"> & {
  work: ListedScheduleWire["work"];
  /** Its place in the list, with its ID. */
  sortName: string;
};
const listedColumns = `${columns.replace("work,", "").replace("approvals,", "")},
  jsonb_strip_nulls(jsonb_build_object(
    'kind', work ->> 'kind',
    'flowId', work ->> 'flowId',
    'promptStart', left(work ->> 'prompt', ${listedPromptLength / 2})
  )) AS work, lower(name) AS "sortName"`;

/** Who may see a schedule: its owner, and admins. */
const isAdmin = ({ principal }: Scope): boolean => principal.role === "admin";

@Injectable()
export class ScheduleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By name. @param of all: of everyone, for admins only */
  list(
    scope: Scope,
    of: "own" | "all",
    page: {
      after: { name: string; id: string } | null;
      limit: number;
      flowId: string | undefined;
    },
  ): Promise<ListedSchedule[]> {
    if (of === "all" && !isAdmin(scope)) throw new CarrelError("access.forbidden");
    return queryRows(
      this.dataSource,
      `SELECT ${listedColumns} FROM chat.schedule
      WHERE ($1 OR user_id IS NOT DISTINCT FROM $2)
        AND ($3::text IS NULL OR (lower(name), id) > ($3::text, $4::uuid))
        AND ($6::text IS NULL OR work ->> 'flowId' = $6)
      ORDER BY lower(name), id
      LIMIT $5`,
      [
        of === "all",
        scope.principal.userId,
        page.after?.name ?? null,
        page.after?.id ?? null,
        page.limit,
        page.flowId ?? null,
      ],
    );
  }

  /** What `list` finds on all pages. */
  async countListed(
    { principal }: Scope,
    of: "own" | "all",
    flowId: string | undefined,
  ): Promise<number> {
    const [row] = await queryRows<{ count: number }>(
      this.dataSource,
      `SELECT count(*)::int AS count FROM chat.schedule
      WHERE ($1 OR user_id IS NOT DISTINCT FROM $2) AND ($3::text IS NULL OR work ->> 'flowId' = $3)`,
      [of === "all", principal.userId, flowId ?? null],
    );
    return row!.count;
  }

  /** Those that run this flow and aren't paused. */
  listActiveOf(flowId: string): Promise<ScheduleRow[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${columns} FROM chat.schedule WHERE active AND work ->> 'flowId' = $1`,
      [flowId],
    );
  }

  async count(manager: EntityManager, userId: number | null): Promise<number> {
    const [row] = await queryRows<{ count: number }>(
      manager,
      "SELECT count(*)::int AS count FROM chat.schedule WHERE user_id IS NOT DISTINCT FROM $1",
      [userId],
    );
    return row!.count;
  }

  /**
   * One that the caller may see. Locks it within a transaction. Throws `schedule.not-found`, also for
   * others' schedules.
   */
  async find(scope: Scope, id: string, manager?: EntityManager): Promise<ScheduleRow> {
    const row = await this.findAny(id, manager);
    if (row === null || (row.userId !== scope.principal.userId && !isAdmin(scope)))
      throw new CarrelError("schedule.not-found");
    return row;
  }

  /** One of the caller's own, to do what only its owner may. */
  async findOwn(scope: Scope, id: string, manager?: EntityManager): Promise<ScheduleRow> {
    const row = await this.find(scope, id, manager);
    // Keys act for the instance: they own nothing where there are accounts.
    if (row.userId !== scope.principal.userId && scope.principal.kind !== "key")
      throw new CarrelError("access.forbidden");
    return row;
  }

  async findAny(id: string, manager?: EntityManager): Promise<ScheduleRow | null> {
    const [row] = await queryRows<ScheduleRow>(
      manager ?? this.dataSource,
      `SELECT ${columns} FROM chat.schedule WHERE id = $1
      ${manager === undefined ? "" : "FOR NO KEY UPDATE"}`,
      [id],
    );
    return row ?? null;
  }

  async add(manager: EntityManager, schedule: NewSchedule): Promise<void> {
    await manager.query(
      `INSERT INTO chat.schedule (
        id, workspace_id, user_id, by_agent, active, name, work, timing, missed, thread,
        only_when_changed, sealed_webhook, sealed_secret, approvals, next_at
      )
      VALUES ($1, $2, $3, $4, true, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [schedule.id, schedule.workspaceId, schedule.userId, schedule.byAgent, ...valuesOf(schedule)],
    );
  }

  /** Results so far don't count for a changed schedule. */
  async update(manager: EntityManager, id: string, fields: ScheduleFields): Promise<void> {
    await manager.query(
      `UPDATE chat.schedule SET name = $2, work = $3, timing = $4, missed = $5, thread = $6,
        only_when_changed = $7, sealed_webhook = $8,
        sealed_secret = CASE WHEN $12 THEN sealed_secret ELSE $9 END, approvals = $10,
        next_at = CASE WHEN active THEN $11::timestamptz END, failures = 0, updated_at = now(),
        delivered_hash = CASE WHEN work = $3::jsonb THEN delivered_hash END
      WHERE id = $1`,
      [id, ...valuesOf(fields), fields.sealedSecret === undefined],
    );
  }

  async setApprovals(
    manager: EntityManager,
    id: string,
    approvals: readonly AdvanceApproval[],
  ): Promise<void> {
    await manager.query(
      "UPDATE chat.schedule SET approvals = $2, updated_at = now() WHERE id = $1",
      [id, JSON.stringify(approvals)],
    );
  }

  async setSecret(manager: EntityManager, id: string, sealedSecret: string): Promise<void> {
    await manager.query("UPDATE chat.schedule SET sealed_secret = $2 WHERE id = $1", [
      id,
      sealedSecret,
    ]);
  }

  /** Returns whether it was active. @param reason null: by hand */
  async pause(manager: EntityManager, id: string, reason: FaultWire | null): Promise<boolean> {
    const rows = await queryRows(
      manager,
      `UPDATE chat.schedule SET active = false, paused_reason = $2, next_at = NULL
      WHERE id = $1 AND active RETURNING id`,
      [id, reason === null ? null : JSON.stringify(reason)],
    );
    return rows.length > 0;
  }

  async resume(manager: EntityManager, id: string, nextAt: Date | null): Promise<void> {
    await manager.query(
      `UPDATE chat.schedule SET active = true, paused_reason = NULL, next_at = $2, failures = 0
      WHERE id = $1`,
      [id, nextAt],
    );
  }

  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.query("DELETE FROM chat.schedule WHERE id = $1", [id]);
  }
}

const valuesOf = (fields: ScheduleFields): unknown[] => [
  fields.name,
  JSON.stringify(fields.work),
  JSON.stringify(fields.timing),
  fields.missed,
  fields.thread,
  fields.onlyWhenChanged,
  fields.sealedWebhook,
  fields.sealedSecret ?? null,
  JSON.stringify(fields.approvals),
  fields.nextAt,
];
