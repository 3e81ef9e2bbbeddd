import type { KnownFault, Scope, WidgetMessage } from "@carrel/contracts";
import { addressGroup, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { Widget } from "./widget.entity.ts";

export interface ReachedLimit {
  fault: KnownFault;
  message: WidgetMessage;
  retryAfterSeconds: number;
}

interface Asked {
  /** Idempotency key of the request; the same if it is sent again. */
  key: string;
  sessionId: string;
  visitor: string;
}

const limits = [
  { of: "dayLimit", message: "day", code: "visitor.day-limit", column: null },
  { of: "sessionLimit", message: "session", code: "visitor.session-limit", column: "session_id" },
  { of: "visitorLimit", message: "visitor", code: "visitor.personal-limit", column: "visitor" },
  { of: "addressLimit", message: "address", code: "visitor.address-limit", column: "address" },
] as const;

/** When the limit-th newest of a widget's questions in the last 24 hours stops counting. */
const reachedSql = (column: string | null): string => `
  SELECT ceil(extract(epoch FROM asked_at + interval '24 hours' - now()))::int AS seconds
  FROM workspace.widget_question
  WHERE widget_id = $1 AND asked_at > now() - interval '24 hours'
    ${column === null ? "" : `AND ${column} = $3`}
  ORDER BY asked_at DESC OFFSET $2 LIMIT 1`;

/** Rows deleted at once. */
const sweepBatch = 5_000;

/**
 * Counts visitors' questions in PostgreSQL, where the widget's lock makes concurrent questions take
 * turns and a restart loses nothing. Rows that no longer count are deleted.
 */
@Injectable()
export class QuestionLimits extends Reconciler {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  /** Counts a question, or returns the limit that it would exceed. */
  count(
    scope: Scope,
    widget: Widget,
    { key, sessionId, visitor }: Asked,
  ): Promise<ReachedLimit | null> {
    const address = addressGroup(scope.address);
    const values = { session_id: sessionId, visitor, address };
    return this.dataSource.transaction(async (manager) => {
      const limited = limits.filter(({ of }) => widget[of] !== null);
      if (limited.length > 0)
        await manager.query(`SELECT FROM workspace.widget WHERE id = $1 FOR NO KEY UPDATE`, [
          widget.id,
        ]);
      const [again] = await manager.query<unknown[]>(
        `SELECT FROM workspace.widget_question
        WHERE widget_id = $1 AND session_id = $2 AND key = $3`,
        [widget.id, sessionId, key],
      );
      if (again !== undefined) return null;
      for (const { of, message, code, column } of limited) {
        const [reached] = await manager.query<{ seconds: number }[]>(reachedSql(column), [
          widget.id,
          widget[of]! - 1,
          ...(column === null ? [] : [values[column]]),
        ]);
        if (reached !== undefined)
          return { fault: { code }, message, retryAfterSeconds: Math.max(1, reached.seconds) };
      }
      await manager.query(
        `INSERT INTO workspace.widget_question
          (widget_id, session_id, visitor, address, key, asked_at)
        VALUES ($1, $2, $3, $4, $5, clock_timestamp())
        ON CONFLICT DO NOTHING`,
        [widget.id, sessionId, visitor, address, key],
      );
      return null;
    });
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.dataSource.query(
      `DELETE FROM workspace.widget_question
      WHERE id IN (
        SELECT id FROM workspace.widget_question
        WHERE asked_at < now() - interval '24 hours'
        ORDER BY asked_at LIMIT $1
        FOR UPDATE SKIP LOCKED
      )`,
      [sweepBatch],
    );
    return [];
  }
}
