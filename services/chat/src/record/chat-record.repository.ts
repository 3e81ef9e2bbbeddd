import {
  clipText,
  cutPage,
  type ChatRecordFilter,
  type FeedbackReason,
  type Out,
  type Scope,
  type listChatRecords,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { recordedTurn } from "../database/visible-turn.ts";
import { buildQuery, wordsOf } from "../search/search-words.ts";
import { CitationAccess, readableMentions } from "../turn/citation-access.ts";
import type { Turn } from "../turn/turn.entity.ts";

/** Turns and their threads; what is in the trash isn't recorded. */
export const recordTables =
  "turn JOIN chat.thread ON thread.id = turn.thread_id AND thread.deleted_at IS NULL";

/** Session id on the wire; only conversations of the developer API have one. */
const apiSessionId = "CASE WHEN thread.channel = 'api' THEN thread.session_id END";

const ratings: Record<NonNullable<ChatRecordFilter["rating"]>, string> = {
  good: "turn.feedback",
  bad: "NOT turn.feedback",
  none: "turn.feedback IS NULL",
};

export interface RecordCondition {
  where: string;
  /** The values of its parameters from `$1` on. */
  values: unknown[];
}

/** `workspaceIds` are the workspaces of a restricted API key. */
export type RecordFilter = ChatRecordFilter & { workspaceIds?: readonly number[] | undefined };

/**
 * A condition on `turn` and `thread`. Refusals and turns hidden by `/reset` are listed as not
 * included.
 */
export function recordCondition(filter: RecordFilter, turns = recordedTurn): RecordCondition {
  const values: unknown[] = [];
  const where = [
    turns,
    // Visitors' refused questions aren't kept (wire-contract 8.3).
    ...(filter.chatType === "embed" ? ["NOT turn.refused"] : []),
    `thread.channel IS ${filter.chatType === "embed" ? "NOT" : ""} DISTINCT FROM 'widget'`,
  ];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  if (filter.workspaceId !== undefined)
    where.push(`turn.workspace_id = ${bind(filter.workspaceId)}`);
  if (filter.embedId !== undefined) where.push(`thread.widget_id = ${bind(filter.embedId)}`);
  if (filter.sessionId !== undefined) where.push(`thread.session_id = ${bind(filter.sessionId)}`);
  if (filter.workspaceIds !== undefined)
    where.push(`turn.workspace_id = ANY(${bind(filter.workspaceIds)}::int[])`);
  if (filter.userId !== undefined)
    where.push(
      filter.userId === "none" ? "turn.user_id IS NULL" : `turn.user_id = ${bind(filter.userId)}`,
    );
  const zone = filter.from !== undefined || filter.to !== undefined ? bind(filter.timeZone) : "";
  if (filter.from !== undefined)
    where.push(
      `turn.created_at >= ${bind(filter.from)}::date::timestamp AT TIME ZONE ${zone}::text`,
    );
  if (filter.to !== undefined)
    where.push(
      `turn.created_at < (${bind(filter.to)}::date + 1)::timestamp AT TIME ZONE ${zone}::text`,
    );
  if (filter.rating !== undefined) where.push(ratings[filter.rating]);
  const words = wordsOf(filter.search ?? "");
  if (words.length > 0)
    where.push(
      `turn.id IN (
        SELECT turn_id FROM chat.turn_word WHERE words @@ ${bind(buildQuery("everyone", words))}::tsquery
      )`,
    );
  return { where: where.join(" AND "), values };
}

export type ChatRecord = Out<typeof listChatRecords>["chats"][number];
interface RecordRow extends Pick<
  Turn,
  | "id"
  | "question"
  | "answer"
  | "sources"
  | "attachments"
  | "mentions"
  | "mode"
  | "feedback"
  | "metrics"
> {
  workspace_id: number;
  user_id: number | null;
  feedback_reason: FeedbackReason | null;
  thread_id: number | null;
  session_id: string | null;
  include: boolean;
  created_at: Date;
  finished_at: Date | null;
}

/** Page size in bytes: a reply may take 1 MB, and `response` is JSON inside JSON. */
const pageBytes = 700_000;
/** Maximum number of attachment characters to read. */
const maxAttached = 200_000;
/**
 * Chat records of all accounts and workspaces, for administrators: the gateway checks the caller's
 * permission.
 */
@Injectable()
export class ChatRecordRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly citations: CitationAccess,
  ) {}

  /** `limit` records, newest first: after one of them, or without the first ones. */
  async page(
    scope: Scope,
    filter: RecordFilter,
    from: { after: number } | { skip: number },
    limit: number,
  ): Promise<Out<typeof listChatRecords>> {
    const { where, values } = recordCondition(filter);
    const after = values.length;
    const [rows, counted] = await Promise.all([
      // Attachments may contain entire images.
      queryRows<RecordRow>(
        this.dataSource,
        `
        SELECT turn.id, turn.workspace_id, turn.user_id,
          CASE WHEN thread.slug IS NULL THEN NULL ELSE thread.id END AS thread_id,
          ${apiSessionId} AS session_id, turn.question, turn.answer, turn.sources, turn.mentions, turn.mode, turn.feedback,
          turn.feedback_reason, turn.metrics,
          CASE
            WHEN length(turn.attachments::text) > $${after + 3} THEN '[]'::json
            ELSE turn.attachments
          END AS attachments,
          turn.active AND NOT turn.hidden AND NOT turn.refused AS include, turn.created_at,
          (
            SELECT max(generation.finished_at) FROM chat.generation WHERE generation.turn_id = turn.id
          ) AS finished_at
        FROM ${recordTables}
        WHERE ${where} AND ($${after + 4}::int IS NULL OR turn.id < $${after + 4})
        ORDER BY turn.id DESC LIMIT $${after + 1} OFFSET $${after + 2}`,
        [
          ...values,
          limit + 1,
          "skip" in from ? from.skip : 0,
          maxAttached,
          "after" in from ? from.after : null,
        ],
      ),
      queryRows<{ total: number }>(
        this.dataSource,
        `SELECT count(*)::int AS total FROM ${recordTables} WHERE ${where}`,
        values,
      ),
    ]);
    const { page: stored, nextCursor } = cutPage(rows, limit, ({ id }) => [id]);
    const page = (await this.citations.mask(scope, stored)).map((row) => ({
      ...row,
      mentions: readableMentions(scope.principal, row.user_id, row.mentions),
    }));
    const whole = page.map((row) => mapRecord(row, Infinity));
    const fits = whole.reduce((sum, record) => sum + bytesOf(record), 0) <= pageBytes;
    return {
      chats: fits ? whole : page.map((row) => mapRecord(row, pageBytes / page.length)),
      total: counted[0]!.total,
      nextCursor,
    };
  }
}

const bytesOf = (record: ChatRecord): number => Buffer.byteLength(JSON.stringify(record));

/**
 * wire-contract 2.5 and 4.10. A record that exceeds its `share` of the page (in bytes) is cut,
 * least important parts first: attachments, sources, mentions, the ends of answer and question.
 */
function mapRecord(row: RecordRow, share: number): ChatRecord {
  const build = (
    prompt: string,
    text: string,
    sources: unknown[],
    attachments: unknown[],
    mentions: unknown[],
  ): ChatRecord => ({
    id: row.id,
    workspaceId: row.workspace_id,
    prompt,
    response: JSON.stringify({
      text,
      sources,
      // Existing clients know the answers of agents as chats (wire-contract 5.6).
      type: row.mode === "automatic" ? "chat" : row.mode,
      attachments,
      metrics: row.metrics ?? {},
      ...(mentions.length > 0 && { mentions }),
      ...(row.feedback_reason === null ? {} : { feedbackReason: row.feedback_reason }),
    }),
    include: row.include,
    user_id: row.user_id,
    thread_id: row.thread_id,
    api_session_id: row.session_id,
    createdAt: row.created_at.toISOString(),
    lastUpdatedAt: (row.finished_at ?? row.created_at).toISOString(),
    feedbackScore: row.feedback,
  });
  const attachments = row.attachments.map(({ name, mime, contentString }) => ({
    name,
    mime,
    contentString,
  }));
  const forms = [
    () => build(row.question, row.answer, row.sources, attachments, row.mentions),
    () => build(row.question, row.answer, row.sources, [], row.mentions),
    () => build(row.question, row.answer, [], [], row.mentions),
    () => build(row.question, row.answer, [], [], []),
  ];
  for (const form of forms) {
    const record = form();
    if (bytesOf(record) <= share) return record;
  }
  // A character takes eight bytes at most: six for its escape, with the backslash escaped again.
  const room = Math.max(0, Math.floor((share - 2_000) / 16));
  return build(clipText(row.question, room), clipText(row.answer, room), [], [], []);
}
