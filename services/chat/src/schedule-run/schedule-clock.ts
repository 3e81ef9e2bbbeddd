import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { CarrelError, startScheduleRun } from "@carrel/contracts";
import { Outbox, jobMessage, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { sortDueTimes } from "../schedule/schedule-time.ts";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import type { ScheduleRow } from "../schedule/schedule.repository.ts";
import { ScheduleReports } from "./schedule-reports.ts";
import { ScheduleRunRepository, type NewRun } from "./schedule-run.repository.ts";

/** A time for which nothing has run counts as missed after this. */
const lateMs = 5 * 60_000;
/** Schedules per transaction, which locks them. */
const batch = 20;
/** Missed times that a run lists. */
const listedMissed = 20;
/** Longest wait until the next look, in ms: other replicas may have saved something earlier. */
const longestWait = 1_000;

type DueSchedule = Pick<
  ScheduleRow,
  "id" | "userId" | "workspaceId" | "name" | "timing" | "missed"
> & {
  nextAt: Date;
  now: Date;
};

/**
 * Takes due schedules: each due time becomes one run, in the transaction that moves the schedule to
 * its next one, so that any number of replicas can look.
 */
@Injectable()
export class ScheduleClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ScheduleRunRepository,
    private readonly writer: ScheduleWriter,
    private readonly reports: ScheduleReports,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wakeIn(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private wakeIn(ms: number): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.looking ??= this.look()
        .catch((error: unknown) => {
          // The next look repeats it.
          this.logger.warn({ err: error }, "couldn't look for due schedules");
          return longestWait;
        })
        .then((wait) => {
          this.looking = null;
          this.wakeIn(wait);
        });
    }, ms).unref();
  }

  /** Returns how long to wait for the next look, in ms. */
  private async look(): Promise<number> {
    if ((await this.findWait()) > 0) return this.nextWait();
    // While it is off, times pass like those of an outage.
    if (!(await this.writer.isOn())) return longestWait;
    let taken: number;
    do taken = await this.dataSource.transaction((manager) => this.take(manager));
    while (taken === batch && !this.isStopped);
    return this.nextWait();
  }

  private async nextWait(): Promise<number> {
    return Math.min(longestWait, Math.max(100, await this.findWait()));
  }

  /** Milliseconds until the next schedule is due. */
  private async findWait(): Promise<number> {
    const [row] = await queryRows<{ wait: number | null }>(
      this.dataSource,
      `SELECT (extract(epoch FROM min(next_at) - clock_timestamp()) * 1000)::float8 AS wait
      FROM chat.schedule WHERE active`,
    );
    return row?.wait ?? Number.POSITIVE_INFINITY;
  }

  /** Returns how many were due. */
  private async take(manager: EntityManager): Promise<number> {
    const due = await queryRows<DueSchedule>(
      manager,
      `SELECT id, user_id AS "userId", workspace_id AS "workspaceId", name, timing, missed,
        next_at AS "nextAt", clock_timestamp() AS now
      FROM chat.schedule
      WHERE active AND next_at <= now()
      ORDER BY next_at
      LIMIT $1
      FOR NO KEY UPDATE SKIP LOCKED`,
      [batch],
    );
    if (due.length === 0) return 0;
    const open = await this.runs.listOpen(
      manager,
      due.map(({ id }) => id),
    );
    const taken: PlannedRuns[] = [];
    for (const schedule of due) {
      try {
        taken.push(planRuns(schedule, open.has(schedule.id)));
      } catch (error) {
        // One that can't be read doesn't stop the others.
        if (!(error instanceof CarrelError)) throw error;
        await this.reports.pause(manager, schedule, error.toFault());
      }
      // Computing due times takes a while after an outage.
      await setImmediate();
    }
    const added = await this.runs.add(
      manager,
      taken.flatMap(({ runs }) => runs),
    );
    await manager.query(
      `UPDATE chat.schedule SET next_at = moved.next_at
      FROM jsonb_to_recordset($1::jsonb) AS moved(id uuid, next_at timestamptz)
      WHERE schedule.id = moved.id`,
      [JSON.stringify(taken.map(({ id, nextAt }) => ({ id, next_at: nextAt })))],
    );
    await this.outbox.add(
      manager,
      ...taken.flatMap(({ userId, runs }) =>
        runs
          .filter(({ id, state }) => state === "due" && added.has(id))
          .map(({ id }) => startMessage(id, userId)),
      ),
    );
    return due.length;
  }
}

export const startMessage = (runId: string, userId: number | null): OutboxMessage =>
  jobMessage(startScheduleRun, {
    rowId: runId,
    version: 1,
    payload: { runId, owner: String(userId ?? "") },
  });

/** The runs that a due schedule gets, and when it is due next. */
interface PlannedRuns {
  id: string;
  userId: number | null;
  nextAt: Date | null;
  runs: NewRun[];
}

/** Throws CarrelError for a timing that can't be read. */
function planRuns(
  { id, userId, timing, missed: policy, nextAt: dueAt, now }: DueSchedule,
  isOpen: boolean,
): PlannedRuns {
  const { missed, current, next } = sortDueTimes(timing, dueAt, { now, lateMs });
  const lastMissed = missed.at(-1);
  const listed = {
    missedTimes: missed
      .slice(-listedMissed)
      .toReversed()
      .map((time) => time.toISOString()),
    missedCount: missed.length,
  };
  const runs: NewRun[] = [];
  const add = (run: Omit<NewRun, "id" | "scheduleId">): void => {
    runs.push({ id: randomUUID(), scheduleId: id, ...run });
  };
  if (lastMissed !== undefined && policy === "skip")
    add({
      dueAt: lastMissed,
      reason: "due",
      state: "skipped",
      ...listed,
      fault: { code: "schedule.skipped-missed" },
    });
  const runsAt = current ?? (policy === "once" ? lastMissed : undefined);
  if (runsAt !== undefined)
    add({
      dueAt: runsAt,
      reason: current === null ? "late" : "due",
      state: isOpen ? "skipped" : "due",
      ...(policy === "once" && listed),
      ...(isOpen && { fault: { code: "schedule.skipped-running" } }),
    });
  return { id, userId, nextAt: next, runs };
}
