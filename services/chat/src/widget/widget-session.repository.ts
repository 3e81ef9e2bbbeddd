import {
  cursorId,
  cursorTime,
  cutPage,
  readCursor,
  type In,
  type Out,
  type UsageReport,
  type getWidgetUsage,
  type listWidgetSessions,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { queryRows } from "../database/query-rows.ts";
import { recordedVisitorTurn, type Visitor } from "../database/visible-turn.ts";
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
        FROM chat.thread
        JOIN chat.turn ON turn.thread_id = thread.id
        WHERE thread.widget_id = $1 AND ${recordedVisitorTurn}
          AND turn.created_at >= $2::date::timestamp AT TIME ZONE $4
          AND turn.created_at < ($3::date + 1)::timestamp AT TIME ZONE $4
      ) asked
      GROUP BY GROUPING SETS ((asked.day), ())`,
      [widgetId, from, to, timeZone],
    );
  }
}

interface SessionRow {
  id: number;
  last_updated_at: string;
  session_id: string;
  chats: number;
  first_prompt: string;
  visitor: Visitor | null;
  started_at: Date;
  last_at: Date;
}

const pageSize = 50;
/** Characters of a session's first question. */
const longestPrompt = 300;
/** When it was used last, and its ID. */
const place = z.tuple([cursorTime, cursorId]);

/** The conversations of a widget; the handler checks the permission. */
@Injectable()
export class WidgetSessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A page, most recent first, after the session that the cursor names. */
  async list(
    widgetId: number,
    cursor: string | undefined,
  ): Promise<Out<typeof listWidgetSessions>> {
    const [time, id] = cursor === undefined ? [null, 0] : readCursor(place, cursor);
    const rows = await queryRows<SessionRow>(
      this.dataSource,
      `SELECT page.id, to_char(page.last_updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS last_updated_at, page.session_id, turns.*,
        (
          SELECT generation.scope -> 'principal' -> 'widget' FROM chat.generation
          WHERE generation.thread_id = page.id
          ORDER BY generation.turn_id DESC LIMIT 1
        ) AS visitor
      FROM (
        SELECT id, session_id, last_updated_at AT TIME ZONE 'UTC' AS last_updated_at
        FROM chat.thread
        WHERE widget_id = $1
          AND (
            $2::timestamptz IS NULL
            OR (last_updated_at, id) < ($2::timestamptz, $3::int)
          )
        ORDER BY last_updated_at DESC, id DESC LIMIT $4
      ) page
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS chats, min(created_at) AS started_at, max(created_at) AS last_at,
          left((array_agg(question ORDER BY turn.id))[1], $5) AS first_prompt
        FROM chat.turn WHERE turn.thread_id = page.id AND NOT turn.refused
      ) turns
      ORDER BY page.last_updated_at DESC, page.id DESC`,
      [widgetId, time, id, pageSize + 1, longestPrompt],
    );
    const { page, nextCursor } = cutPage(rows, pageSize, (row) => [row.last_updated_at, row.id]);
    return {
      sessions: page
        .filter(({ chats }) => chats > 0)
        .map((row) => ({
          session_id: row.session_id,
          chats: row.chats,
          first_prompt: row.first_prompt,
          username: row.visitor?.username ?? null,
          verified: row.visitor?.isVerified ?? false,
          host: row.visitor?.host ?? null,
          startedAt: row.started_at.toISOString(),
          lastAt: row.last_at.toISOString(),
        })),
      nextCursor,
    };
  }
}
