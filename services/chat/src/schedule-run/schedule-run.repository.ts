import type {
  DeniedCall,
  FaultWire,
  RecordedReasoning,
  RunStep,
  ScheduleRunState,
  ScheduleRunWire,
  WorkspaceScope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

export interface ScheduleRunRow {
  id: string;
  scheduleId: string;
  dueAt: Date;
  reason: ScheduleRunWire["reason"];
  state: ScheduleRunState;
  missedTimes: string[];
  missedCount: number;
  startedAt: Date | null;
  endedAt: Date | null;
  threadId: number | null;
  /** null also if the thread was deleted. */
  threadSlug: string | null;
  generationId: string | null;
  flowRunId: string | null;
  fault: FaultWire | null;
  denied: Omit<DeniedCall, "isAllowed">[];
  webhookState: "pending" | "delivered" | "failed" | null;
  webhookStatus: number | null;
  webhookAttempts: number;
  webhookFault: FaultWire | null;
}

export interface NewRun {
  id: string;
  scheduleId: string;
  dueAt: Date;
  reason: ScheduleRunWire["reason"];
  state: "due" | "skipped";
  missedTimes?: string[];
  missedCount?: number;
  fault?: FaultWire | null;
}

/** How a run ended. */
export interface RunEnding {
  state: ScheduleRunState;
  fault?: FaultWire | null;
  denied?: ScheduleRunRow["denied"];
  result?: string | null;
  resultHash?: string | null;
  /** Whether the result is to be posted. */
  isPosted?: boolean;
}

/** What became of the question that a run asked. */
export interface RunAnswer {
  state: string;
  scope: WorkspaceScope;
  threadId: number;
  threadSlug: string | null;
  turnId: number;
  /** In the thread, this one included. */
  turnCount: number;
  answer: string;
  reasoning: RecordedReasoning | null;
  fault: FaultWire | null;
  steps: RunStep[] | null;
}

const columns = `run.id, run.schedule_id AS "scheduleId", run.due_at AS "dueAt", run.reason,
  run.state, run.missed_times AS "missedTimes", run.missed_count AS "missedCount",
  run.started_at AS "startedAt", run.ended_at AS "endedAt", run.thread_id AS "threadId",
  (SELECT slug FROM chat.thread WHERE id = run.thread_id AND deleted_at IS NULL) AS "threadSlug",
  run.generation_id AS "generationId", run.flow_run_id AS "flowRunId", run.fault, run.denied,
  run.webhook_state AS "webhookState", run.webhook_status AS "webhookStatus",
  run.webhook_attempts AS "webhookAttempts", run.webhook_fault AS "webhookFault"`;

/** Runs of a schedule that are kept. */
const keptRuns = 500;

@Injectable()
export class ScheduleRunRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Skips those whose due time is already there. Returns the IDs of the added ones. */
  async add(manager: EntityManager, runs: readonly NewRun[]): Promise<ReadonlySet<string>> {
    if (runs.length === 0) return new Set();
    const rows = await queryRows<{ id: string }>(
      manager,
      `INSERT INTO chat.schedule_run (
        id, schedule_id, due_at, reason, state, missed_times, missed_count, fault, ended_at
      )
      SELECT id, schedule_id, due_at, reason, state, missed_times, missed_count, fault,
        CASE WHEN state = 'skipped' THEN now() END
      FROM jsonb_to_recordset($1::jsonb) AS added(
        id uuid, schedule_id uuid, due_at timestamptz, reason text, state text,
        missed_times jsonb, missed_count int, fault jsonb
      )
      ON CONFLICT (schedule_id, due_at) DO NOTHING
      RETURNING id`,
      [
        JSON.stringify(
          runs.map((run) => ({
            id: run.id,
            schedule_id: run.scheduleId,
            due_at: run.dueAt,
            reason: run.reason,
            state: run.state,
            missed_times: run.missedTimes ?? [],
            missed_count: run.missedCount ?? 0,
            fault: run.fault ?? null,
          })),
        ),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Which of these schedules have a run that hasn't ended. */
  async listOpen(
    manager: EntityManager,
    scheduleIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await queryRows<{ id: string }>(
      manager,
      `SELECT schedule_id AS id FROM chat.schedule_run
      WHERE schedule_id = ANY($1::uuid[]) AND state IN ('due', 'running')`,
      [scheduleIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async findSchedule(manager: EntityManager, id: string): Promise<string | null> {
    const [row] = await queryRows<{ id: string }>(
      manager,
      "SELECT schedule_id AS id FROM chat.schedule_run WHERE id = $1",
      [id],
    );
    return row?.id ?? null;
  }

  /** Locks it within a transaction. */
  async find(id: string, manager?: EntityManager): Promise<ScheduleRunRow | null> {
    const [row] = await queryRows<ScheduleRunRow>(
      manager ?? this.dataSource,
      `SELECT ${columns} FROM chat.schedule_run run WHERE run.id = $1
      ${manager === undefined ? "" : "FOR NO KEY UPDATE OF run"}`,
      [id],
    );
    return row ?? null;
  }

  /** The run of a schedule that hasn't ended, if any. Locks it. */
  async findOpen(manager: EntityManager, scheduleId: string): Promise<ScheduleRunRow | null> {
    const [row] = await queryRows<ScheduleRunRow>(
      manager,
      `SELECT ${columns} FROM chat.schedule_run run
      WHERE run.schedule_id = $1 AND run.state IN ('due', 'running')
      FOR NO KEY UPDATE OF run`,
      [scheduleId],
    );
    return row ?? null;
  }

  /** Latest first. */
  list(
    scheduleId: string,
    page: { after: { dueAt: string; id: string } | null; limit: number },
  ): Promise<ScheduleRunRow[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${columns} FROM chat.schedule_run run
      WHERE run.schedule_id = $1
        AND ($2::timestamptz IS NULL OR (run.due_at, run.id) < ($2::timestamptz, $3::uuid))
      ORDER BY run.due_at DESC, run.id DESC
      LIMIT $4`,
      [scheduleId, page.after?.dueAt ?? null, page.after?.id ?? null, page.limit],
    );
  }

  /** The latest run of each of these schedules. */
  async listLast(scheduleIds: readonly string[]): Promise<Map<string, ScheduleRunRow>> {
    const rows = await queryRows<ScheduleRunRow>(
      this.dataSource,
      `SELECT ${columns}
      FROM unnest($1::uuid[]) AS wanted(id)
      CROSS JOIN LATERAL (
        SELECT * FROM chat.schedule_run
        WHERE schedule_id = wanted.id
        ORDER BY due_at DESC, id DESC LIMIT 1
      ) run`,
      [scheduleIds],
    );
    return new Map(rows.map((row) => [row.scheduleId, row]));
  }

  async findResult(id: string): Promise<string | null> {
    const [row] = await queryRows<{ result: string | null }>(
      this.dataSource,
      "SELECT result FROM chat.schedule_run WHERE id = $1",
      [id],
    );
    return row?.result ?? null;
  }

  /** Locks the run. False if it is no longer due. */
  async begin(manager: EntityManager, id: string): Promise<boolean> {
    const rows = await queryRows(
      manager,
      `UPDATE chat.schedule_run SET state = 'running', started_at = now()
      WHERE id = $1 AND state = 'due' RETURNING id`,
      [id],
    );
    return rows.length > 0;
  }

  /** Of a run that the transaction has locked. */
  async cancelDue(manager: EntityManager, id: string): Promise<void> {
    await manager.query(
      `UPDATE chat.schedule_run SET state = 'cancelled', ended_at = now()
      WHERE id = $1 AND state = 'due'`,
      [id],
    );
  }

  async setPlace(
    manager: EntityManager,
    id: string,
    place: { threadId: number; turnId: number; scheduleId: string } | { flowRunId: string },
  ): Promise<void> {
    if ("flowRunId" in place) {
      await manager.query("UPDATE chat.schedule_run SET flow_run_id = $2 WHERE id = $1", [
        id,
        place.flowRunId,
      ]);
      return;
    }
    await manager.query(
      "UPDATE chat.schedule_run SET thread_id = $2, generation_id = id WHERE id = $1",
      [id, place.threadId],
    );
    await manager.query("UPDATE chat.turn SET schedule_id = $2 WHERE id = $1", [
      place.turnId,
      place.scheduleId,
    ]);
  }

  async setThread(manager: EntityManager, id: string, threadId: number): Promise<void> {
    await manager.query("UPDATE chat.schedule_run SET thread_id = $2 WHERE id = $1", [
      id,
      threadId,
    ]);
  }

  /** False if it isn't in this state any more. Forgets the oldest runs of its schedule. */
  async end(
    manager: EntityManager,
    { id, state }: Pick<ScheduleRunRow, "id" | "state">,
    ending: RunEnding,
  ): Promise<boolean> {
    const rows = await queryRows<{ schedule_id: string }>(
      manager,
      `UPDATE chat.schedule_run SET state = $2, ended_at = now(), fault = $3, denied = $4,
        result = $5, result_hash = $6, webhook_state = CASE WHEN $7::boolean THEN 'pending' END
      WHERE id = $1 AND state = $8 AND state IN ('due', 'running')
      RETURNING schedule_id`,
      [
        id,
        ending.state,
        ending.fault == null ? null : JSON.stringify(ending.fault),
        JSON.stringify(ending.denied ?? []),
        ending.result ?? null,
        ending.resultHash ?? null,
        ending.isPosted ?? false,
        state,
      ],
    );
    const [ended] = rows;
    if (ended === undefined) return false;
    await manager.query(
      `DELETE FROM chat.schedule_run
      WHERE schedule_id = $1 AND due_at < (
        SELECT due_at FROM chat.schedule_run WHERE schedule_id = $1
        ORDER BY due_at DESC OFFSET $2 LIMIT 1
      )`,
      [ended.schedule_id, keptRuns - 1],
    );
    return true;
  }

  /** null if the question, its thread or its workspace was deleted. */
  async findAnswer(manager: EntityManager, runId: string): Promise<RunAnswer | null> {
    const [row] = await queryRows<RunAnswer>(
      manager,
      `SELECT g.state, g.scope, g.thread_id AS "threadId", thread.slug AS "threadSlug",
        g.turn_id AS "turnId", t.answer, t.reasoning, t.fault, t.steps,
        (SELECT count(*)::int FROM chat.turn WHERE thread_id = g.thread_id) AS "turnCount"
      FROM chat.generation g
      JOIN chat.turn t ON t.id = g.turn_id
      JOIN chat.thread ON thread.id = g.thread_id
      WHERE g.id = $1`,
      [runId],
    );
    return row ?? null;
  }

  async noteDelivery(
    id: string,
    o: {
      state: "pending" | "delivered" | "failed";
      status: number | null;
      fault: FaultWire | null;
    },
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.schedule_run SET webhook_state = $2, webhook_status = $3, webhook_fault = $4,
        webhook_attempts = webhook_attempts + 1
      WHERE id = $1`,
      [id, o.state, o.status, o.fault === null ? null : JSON.stringify(o.fault)],
    );
  }
}

/** A run as its owner and admins see it. */
export const mapRun = (
  row: ScheduleRunRow,
  approvals: readonly { tool: string; destination: string | null }[],
): ScheduleRunWire => ({
  id: row.id,
  scheduleId: row.scheduleId,
  state: row.state,
  dueAt: row.dueAt.toISOString(),
  reason: row.reason,
  missedTimes: row.missedTimes,
  missedCount: row.missedCount,
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  threadSlug: row.threadSlug,
  generationId: row.generationId,
  flowRunId: row.flowRunId,
  fault: row.fault,
  denied: row.denied.map((call) => ({
    ...call,
    isAllowed: approvals.some(
      ({ tool, destination }) => tool === call.tool && destination === call.destination,
    ),
  })),
  webhook:
    row.webhookState === null
      ? null
      : {
          state: row.webhookState,
          status: row.webhookStatus,
          attempts: row.webhookAttempts,
          fault: row.webhookFault,
        },
});
