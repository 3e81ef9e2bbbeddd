import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { startMessage } from "./schedule-clock.ts";
import { endMessage, postMessage } from "./schedule-end.ts";

interface LateRun {
  id: string;
  scheduleId: string;
  userId: number | null;
  step: "start" | "end" | "post";
}

/** Repeats what is due for runs if its message was lost. */
@Injectable()
export class ScheduleReconciler extends Reconciler {
  override readonly everyMs = 15_000;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const runs = await queryRows<LateRun>(
      this.dataSource,
      `SELECT run.id, run.schedule_id AS "scheduleId", schedule.user_id AS "userId",
        CASE run.state WHEN 'due' THEN 'start' WHEN 'running' THEN 'end' ELSE 'post' END AS step
      FROM chat.schedule_run run
      JOIN chat.schedule ON schedule.id = run.schedule_id
      LEFT JOIN chat.generation ON generation.id = run.generation_id
      LEFT JOIN chat.flow_run ON flow_run.id = run.flow_run_id
      WHERE (run.state = 'due' AND run.created_at < now() - interval '10 seconds')
        OR (
          run.state = 'running'
          AND run.generation_id IS NOT NULL
          AND run.started_at < now() - interval '10 seconds'
          AND (generation.id IS NULL OR generation.state NOT IN ('queued', 'running'))
        )
        OR (
          run.state = 'running'
          AND run.flow_run_id IS NOT NULL
          AND run.started_at < now() - interval '10 seconds'
          AND (flow_run.id IS NULL OR flow_run.state IN ('done', 'failed', 'denied', 'cancelled'))
        )
        OR (run.webhook_state = 'pending' AND run.ended_at < now() - interval '1 minute')
      LIMIT 1000`,
    );
    return runs.map(({ id, scheduleId, userId, step }) =>
      step === "start"
        ? startMessage(id, userId)
        : step === "end"
          ? endMessage(id, userId)
          : postMessage({ id, scheduleId }),
    );
  }
}
