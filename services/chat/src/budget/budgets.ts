import { CarrelError, developerKeyOf, type BudgetPeriod, type Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { QuestionEstimate } from "./question-estimate.ts";

/** Admits calls within the budgets that apply to them. Questions: `GenerationStartRepository`. */
@Injectable()
export class Budgets {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Refuses a call other than a question's while a budget is used up. Otherwise reserves what it is
   * expected to use until `release`, or for a minute if the process dies. Throws CarrelError.
   *
   * @returns whether there may be something to release: false if there are no budgets
   */
  async admitCall(
    callId: string,
    { principal, workspace }: Scope,
    { tokens, micros, isFree }: QuestionEstimate,
  ): Promise<boolean> {
    const [row] = await preparedQuery<{ any: boolean; period: BudgetPeriod | null }>(
      this.dataSource,
      "admit-call",
      `SELECT b.any,
        CASE WHEN b.any THEN admit_call($1, $2, $3, $4, $5::bigint, $6::bigint, $7) END AS period
      FROM (SELECT EXISTS (SELECT 1 FROM chat.budget) AS any) b`,
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
    const { any, period } = row!;
    if (period !== null) throw new CarrelError(`budget.${period}-used`);
    return any;
  }

  /** Call when what the call used is recorded, or if it used nothing. */
  async release(...callIds: string[]): Promise<void> {
    await this.dataSource.query(
      "DELETE FROM chat.budget_hold WHERE generation_id = ANY($1::uuid[])",
      [callIds],
    );
  }
}
