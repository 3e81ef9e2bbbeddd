import { Injectable } from "@nestjs/common";
import {
  CarrelError,
  developerKeyOf,
  type BudgetPeriod,
  type KnownFault,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import type { QuestionEstimate } from "./question-estimate.ts";

/** A budget is used up, so the question is not written. Rolls back what was done for it. */
export class BudgetUsedError extends Error {
  override readonly name = "BudgetUsedError";

  constructor(readonly fault: KnownFault) {
    super(fault.code);
  }
}

/**
 * Admits questions within the budgets that apply to them. `GenerationStartRepository` does the same
 * in its statement.
 */
@Injectable()
export class Budgets {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reserves what the question is expected to use. Call it after locking the thread. Throws
   * BudgetUsedError.
   *
   * @param hasOwnModel whether the thread has its own model, which may be another than estimated
   */
  async admit(
    manager: EntityManager,
    o: {
      generationId: string;
      scope: WorkspaceScope;
      estimate: QuestionEstimate;
      hasOwnModel: boolean;
    },
  ): Promise<void> {
    const { principal, workspace } = o.scope;
    const { tokens, micros, isFree } = o.estimate;
    if (tokens === 0 && !o.hasOwnModel) return;
    const [row] = await queryRows<{ period: BudgetPeriod | null }>(
      manager,
      `SELECT CASE
        WHEN EXISTS (SELECT 1 FROM budget)
        THEN admit_question($1, $2, $3, $4, $5::bigint, $6::bigint, $7)
      END AS period`,
      [
        o.generationId,
        workspace.id,
        principal.userId,
        developerKeyOf(principal),
        tokens,
        micros,
        isFree && !o.hasOwnModel,
      ],
    );
    const period = row!.period;
    if (period !== null) throw new BudgetUsedError({ code: `budget.${period}-used` });
  }

  /**
   * Refuses a call other than a question's while a budget is used up. Otherwise reserves what it is
   * expected to use until `release`, or for a minute if the process dies. Throws CarrelError.
   */
  async admitCall(
    callId: string,
    { principal, workspace }: Scope,
    { tokens, micros, isFree }: QuestionEstimate,
  ): Promise<void> {
    const [row] = await queryRows<{ period: BudgetPeriod | null }>(
      this.dataSource,
      `SELECT CASE
        WHEN EXISTS (SELECT 1 FROM budget) THEN admit_call($1, $2, $3, $4, $5::bigint, $6::bigint, $7)
      END AS period`,
      [
        callId,
        workspace?.id ?? null,
        principal.userId,
        developerKeyOf(principal),
        tokens,
        Math.ceil(micros),
        isFree,
      ],
    );
    const period = row!.period;
    if (period !== null) throw new CarrelError(`budget.${period}-used`);
  }

  /** Call when what the call used is recorded, or if it used nothing. */
  async release(...callIds: string[]): Promise<void> {
    await this.dataSource.query("DELETE FROM budget_hold WHERE generation_id = ANY($1::uuid[])", [
      callIds,
    ]);
  }
}
