import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import type { InspectionRecord } from "./inspection-record.ts";

/** Maximum number of rows per pruning, so that it doesn't delay answers. */
const batch = 5_000;

@Injectable()
export class InspectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Saves records in one statement, skipping turns deleted in the meantime. */
  async save(records: readonly { turnId: number; record: string }[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO turn_inspection (turn_id, record)
      SELECT v.turn_id, v.record::json
      FROM unnest($1::int[], $2::text[]) AS v(turn_id, record)
      JOIN turn ON turn.id = v.turn_id
      ON CONFLICT (turn_id) DO UPDATE SET record = excluded.record, created_at = now()`,
      [records.map((each) => each.turnId), records.map((each) => each.record)],
    );
  }

  /**
   * Returns the record of the caller's own turn, with its question; `record` is null if none is
   * kept. Returns null if there is no such turn or it belongs to someone else.
   */
  async findOwn(
    scope: WorkspaceScope,
    turnId: number,
  ): Promise<{ question: string; at: Date; record: InspectionRecord | null } | null> {
    const rows = await queryRows<{
      question: string;
      created_at: Date;
      record: InspectionRecord | null;
    }>(
      this.dataSource,
      `
      SELECT turn.question, turn.created_at, turn_inspection.record
      FROM turn
      JOIN thread
        ON thread.id = turn.thread_id AND thread.deleted_at IS NULL AND thread.channel IS NULL
      LEFT JOIN turn_inspection ON turn_inspection.turn_id = turn.id
      WHERE turn.id = $1
        AND turn.workspace_id = $2
        AND turn.user_id IS NOT DISTINCT FROM $3
        AND NOT turn.hidden`,
      [turnId, scope.workspace.id, scope.principal.userId],
    );
    return rows[0] === undefined
      ? null
      : { question: rows[0].question, at: rows[0].created_at, record: rows[0].record };
  }

  /** Deletes records older than `days`, and all but the newest `most`. */
  async prune(days: number, most: number): Promise<void> {
    const old = `SELECT turn_id FROM turn_inspection
      WHERE created_at < now() - make_interval(days => $1)
        OR turn_id <= (SELECT turn_id FROM turn_inspection ORDER BY turn_id DESC OFFSET $2 LIMIT 1)
      LIMIT ${batch}`;
    let removed: number;
    do
      removed = (
        await queryRows(
          this.dataSource,
          `DELETE FROM turn_inspection WHERE turn_id IN (${old}) RETURNING turn_id`,
          [days, most],
        )
      ).length;
    while (removed === batch);
  }
}
