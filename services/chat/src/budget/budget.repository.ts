import type { BudgetPeriod, BudgetSubject, BudgetUnit, BudgetWire } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

export interface BudgetLevels {
  warnAt: number | null;
  stopAt: number | null;
}
export interface NewBudget extends BudgetLevels {
  subject: BudgetSubject;
  subjectId: number | null;
  period: BudgetPeriod;
  unit: BudgetUnit;
}
export interface ReachedBudget {
  id: number;
  subject: BudgetSubject;
  subjectId: number | null;
  period: BudgetPeriod;
  periodStart: string;
  unit: BudgetUnit;
  level: "warn" | "stop";
  used: number;
  limit: number;
}

/** Stored amounts are whole: tokens, or millionths of a dollar. */
const scaleOf = (unit: BudgetUnit): number => (unit === "dollars" ? 1e6 : 1);
const store = (unit: BudgetUnit, amount: number | null): number | null =>
  amount === null ? null : Math.max(1, Math.round(amount * scaleOf(unit)));
const read = (unit: BudgetUnit, amount: string): number => Number(amount) / scaleOf(unit);

const used = `CASE WHEN period_start = budget_period_start(period) THEN used ELSE 0 END`;
const level = `CASE WHEN ${used} >= stop_at THEN 'stop' WHEN ${used} >= warn_at THEN 'warn' END`;

@Injectable()
export class BudgetRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list(): Promise<Omit<BudgetWire, "name">[]> {
    const rows = await queryRows<{
      id: number;
      subject: BudgetSubject;
      subject_id: number | null;
      period: BudgetPeriod;
      unit: BudgetUnit;
      warn_at: string | null;
      stop_at: string | null;
      used: string;
    }>(
      this.dataSource,
      `SELECT id, subject, subject_id, period, unit, warn_at, stop_at, ${used} AS used
      FROM chat.budget ORDER BY id`,
      [],
    );
    return rows.map(({ subject_id, warn_at, stop_at, used: spent, ...row }) => ({
      ...row,
      subjectId: subject_id,
      warnAt: warn_at === null ? null : read(row.unit, warn_at),
      stopAt: stop_at === null ? null : read(row.unit, stop_at),
      used: read(row.unit, spent),
    }));
  }

  /**
   * Begins with what the current period has used, counted like `charge_budgets` does. Returns null if
   * there is such a budget.
   */
  async create(manager: EntityManager, budget: NewBudget): Promise<number | null> {
    // A separate statement, so that the sum's snapshot is taken after the wait.
    await manager.query("SELECT lock_budgets()");
    const [row] = await queryRows<{ id: number }>(
      manager,
      `INSERT INTO chat.budget (
        subject, subject_id, period, unit, warn_at, stop_at, period_start, used, calls
      )
      SELECT $1, $2::int, $3, $4, $5, $6, budget_period_start($3),
        coalesce(
          sum(CASE $4 WHEN 'tokens' THEN input_tokens + output_tokens ELSE coalesce(cost, 0) END), 0
        ),
        count(*) FILTER (
          WHERE purpose NOT IN ('speech', 'dictation', 'transcription', 'reranking', 'embedding')
        )
      FROM chat.model_usage
      WHERE used_at >= budget_period_start($3)::timestamp AT TIME ZONE 'UTC'
        AND budget_applies($1, $2::int, workspace_id, user_id, key_id)
        AND purpose <> 'transcription' AND (purpose <> 'embedding' OR key_id IS NOT NULL)
      ON CONFLICT DO NOTHING
      RETURNING id`,
      [
        budget.subject,
        budget.subjectId,
        budget.period,
        budget.unit,
        store(budget.unit, budget.warnAt),
        store(budget.unit, budget.stopAt),
      ],
    );
    return row?.id ?? null;
  }

  /** A level that was reached before and is reached again is announced again. */
  async update(
    manager: EntityManager,
    id: number,
    { warnAt, stopAt }: BudgetLevels,
  ): Promise<boolean> {
    await manager.query("SELECT lock_budgets()");
    const [found] = await queryRows<{ unit: BudgetUnit }>(
      manager,
      "SELECT unit FROM chat.budget WHERE id = $1",
      [id],
    );
    if (found === undefined) return false;
    await manager.query(
      "UPDATE chat.budget SET warn_at = $2, stop_at = $3, announced = NULL WHERE id = $1",
      [id, store(found.unit, warnAt), store(found.unit, stopAt)],
    );
    return true;
  }

  async delete(manager: EntityManager, id: number): Promise<boolean> {
    await manager.query("SELECT lock_budgets()");
    const rows = await queryRows(manager, "DELETE FROM chat.budget WHERE id = $1 RETURNING id", [
      id,
    ]);
    return rows.length > 0;
  }

  async exist(): Promise<boolean> {
    const [row] = await queryRows<{ any: boolean }>(
      this.dataSource,
      "SELECT EXISTS (SELECT 1 FROM chat.budget) AS any",
      [],
    );
    return row!.any;
  }

  /** @param userId lists only budgets that stop this user's questions everywhere; undefined: all */
  listReached(userId?: number | null): Promise<ReachedBudget[]> {
    return this.findReached(
      this.dataSource.manager,
      userId === undefined
        ? "true"
        : "(subject = 'instance' OR (subject = 'user' AND subject_id = $1::int))",
      userId === undefined ? [] : [userId],
    );
  }

  /** Marks levels as announced and returns those that weren't in this period. */
  async takeUnannounced(manager: EntityManager): Promise<ReachedBudget[]> {
    const isDue = `(announced IS NULL OR announced = 'warn' AND ${level} = 'stop')`;
    const [due] = await queryRows<{ any: boolean }>(
      manager,
      `SELECT EXISTS (SELECT 1 FROM chat.budget WHERE ${level} IS NOT NULL AND ${isDue}) AS any`,
      [],
    );
    if (!due!.any) return [];
    await manager.query("SELECT lock_budgets()");
    const reached = await this.findReached(manager, isDue, []);
    await manager.query(`UPDATE chat.budget SET announced = ${level} WHERE id = ANY($1::int[])`, [
      reached.map(({ id }) => id),
    ]);
    return reached;
  }

  private async findReached(
    manager: EntityManager,
    condition: string,
    values: unknown[],
  ): Promise<ReachedBudget[]> {
    const rows = await queryRows<
      Omit<ReachedBudget, "used" | "limit"> & { used: string; limit: string }
    >(
      manager,
      `SELECT id, subject, subject_id AS "subjectId", period, period_start::text AS "periodStart",
        unit, ${level} AS level, ${used} AS used,
        CASE ${level} WHEN 'stop' THEN stop_at ELSE warn_at END AS limit
      FROM chat.budget
      WHERE ${level} IS NOT NULL AND ${condition}
      ORDER BY id`,
      values,
    );
    return rows.map((row) => ({
      ...row,
      used: read(row.unit, row.used),
      limit: read(row.unit, row.limit),
    }));
  }
}
