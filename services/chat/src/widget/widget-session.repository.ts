import { Injectable } from "@nestjs/common";
import { CarrelError, type listWidgetSessions, type Out } from "@carrel/contracts";
import { DataSource } from "typeorm";
import { z } from "zod";
import { queryRows } from "../database/query-rows.ts";

interface SessionRow {
  id: number;
  last_updated_at: string;
  session_id: string;
  chats: number;
  first_prompt: string;
  visitor: { host: string | null; username: string | null } | null;
  started_at: Date;
  last_at: Date;
}

const pageSize = 50;
/** Characters of a session's first question. */
const longestPrompt = 300;
const cursorText = /^((?:19|[2-9]\d)\d\d-[-\d]{5} [:\d]{8}(?:\.\d{1,6})?)_(\d{1,10})$/;
const localTime = z.iso.datetime({ local: true });

/** Throws unless it is the `next` of a page. */
function readCursor(cursor: string | undefined): { time: string | null; id: number } {
  if (cursor === undefined || cursor === "") return { time: null, id: 0 };
  const [, time = "", id] = cursorText.exec(cursor) ?? [];
  if (!localTime.safeParse(time.replace(" ", "T")).success)
    throw new CarrelError("request.cursor-invalid");
  return { time, id: Math.min(Number(id), 2_147_483_647) };
}

/** The conversations of a widget; the handler checks the permission. */
@Injectable()
export class WidgetSessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A page, most recent first, after the session that `after` names. */
  async list(widgetId: number, after: string | undefined): Promise<Out<typeof listWidgetSessions>> {
    const { time, id } = readCursor(after);
    const rows = await queryRows<SessionRow>(
      this.dataSource,
      `SELECT page.id, page.last_updated_at::text, page.session_id, turns.*,
        (
          SELECT generation.scope -> 'principal' -> 'widget' FROM generation
          WHERE generation.thread_id = page.id
          ORDER BY generation.turn_id DESC LIMIT 1
        ) AS visitor
      FROM (
        SELECT id, session_id, last_updated_at AT TIME ZONE 'UTC' AS last_updated_at
        FROM thread
        WHERE widget_id = $1
          AND (
            $2::timestamp IS NULL
            OR (last_updated_at, id) < ($2::timestamp AT TIME ZONE 'UTC', $3::int)
          )
        ORDER BY last_updated_at DESC, id DESC LIMIT $4
      ) page
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS chats, min(created_at) AS started_at, max(created_at) AS last_at,
          left((array_agg(question ORDER BY turn.id))[1], $5) AS first_prompt
        FROM turn WHERE turn.thread_id = page.id
      ) turns
      ORDER BY page.last_updated_at DESC, page.id DESC`,
      [widgetId, time, id, pageSize + 1, longestPrompt],
    );
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return {
      sessions: rows
        .slice(0, pageSize)
        .filter(({ chats }) => chats > 0)
        .map((row) => ({
          session_id: row.session_id,
          chats: row.chats,
          first_prompt: row.first_prompt,
          username: row.visitor?.username ?? null,
          host: row.visitor?.host ?? null,
          startedAt: row.started_at.toISOString(),
          lastAt: row.last_at.toISOString(),
        })),
      next: last === undefined ? null : `${last.last_updated_at}_${last.id}`,
    };
  }
}
