import type { getWidgetUsage, In, Out, UsageReport } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { recordedVisitorTurn } from "../database/recorded-turn.ts";
import { UsageReportRepository } from "../usage/usage-report.repository.ts";

type Use = Pick<UsageReport["totals"], "inputTokens" | "outputTokens" | "cost" | "unpriced">;
interface ChatRow {
  /** null: the whole period. */
  day: string | null;
  chats: number;
  visitors: number;
}

/** What visitors asked a widget, and what its answers cost; the handler checks the permission. */
@Injectable()
export class WidgetUsageRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reports: UsageReportRepository,
  ) {}

  async read({ id, ...period }: In<typeof getWidgetUsage>): Promise<Out<typeof getWidgetUsage>> {
    const [rows, report] = await Promise.all([
      this.countChats(id, period),
      this.reports.report("everyone", { ...period, widgetId: id }, "day"),
    ]);
    const asked = new Map(rows.map((row) => [row.day, row]));
    const used = new Map(report.groups.map((group) => [group.key, group]));
    const join = (day: string | null, use: Use | undefined) => ({
      chats: asked.get(day)?.chats ?? 0,
      visitors: asked.get(day)?.visitors ?? 0,
      inputTokens: use?.inputTokens ?? 0,
      outputTokens: use?.outputTokens ?? 0,
      cost: use === undefined ? 0 : use.cost,
      unpriced: use?.unpriced ?? 0,
    });
    const days = [...new Set([...asked.keys(), ...used.keys()])].filter((day) => day !== null);
    return {
      totals: join(null, report.totals),
      days: days.toSorted().map((day) => ({ day, ...join(day, used.get(day)) })),
    };
  }

  /** A visitor who comes back on another day counts once in the period. */
  private countChats(
    widgetId: number,
    { from, to, timeZone }: Pick<In<typeof getWidgetUsage>, "from" | "to" | "timeZone">,
  ): Promise<ChatRow[]> {
    return queryRows<ChatRow>(
      this.dataSource,
      `SELECT asked.day::text AS day, count(*)::int AS chats,
        count(DISTINCT asked.thread_id)::int AS visitors
      FROM (
        SELECT (turn.created_at AT TIME ZONE $4)::date AS day, turn.thread_id
        FROM thread
        JOIN turn ON turn.thread_id = thread.id
        WHERE thread.widget_id = $1 AND ${recordedVisitorTurn}
          AND turn.created_at >= $2::date::timestamp AT TIME ZONE $4
          AND turn.created_at < ($3::date + 1)::timestamp AT TIME ZONE $4
      ) asked
      GROUP BY GROUPING SETS ((asked.day), ())`,
      [widgetId, from, to, timeZone],
    );
  }
}
