import type {
  HistoryItem,
  In,
  Out,
  SourceWire,
  WorkspaceScope,
  readHistory,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { hasNullCharacter } from "../database/null-character.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { conversationValues } from "../thread/thread.repository.ts";
import { CitationAccess, maskSources } from "./citation-access.ts";
import { madeBySteps, stoppedAgentTurn } from "./made-by-steps.ts";
import { cutNotice, longestText } from "./turn-cut.ts";

/** Turns read for one page. */
const maxRead = 1_000;
/**
 * Size of a page's texts in bytes: a reply may take 1 MiB, and each quote and line break takes up to
 * four bytes in a JSON string within JSON.
 */
const pageBytes = 240_000;
/** Larger turns are cut, and so are those that take more than `replyBytes` in a reply. */
const turnBytes = 480_000;
const replyBytes = 1_000_000;

/** Threads without an owner are for whoever has their URL (wire-contract +TH). */
const namedThread = `slug = $3 AND (user_id IS NULL OR user_id = $2::int) AND deleted_at IS NULL`;
const defaultThread = `$3::text IS NULL
    AND slug IS NULL
    AND channel IS NULL
    AND coalesce(user_id, 0) = coalesce($2::int, 0)
    AND deleted_at IS NULL`;

const conversationThread = `session_id = $3
    AND channel = $7
    AND coalesce(widget_id, 0) = coalesce($8::int, 0)`;

type OptionalField = "outputs" | "clarifyingQuestions";
type Fields<Role extends HistoryItem["role"]> = Record<
  Exclude<keyof Extract<HistoryItem, { role: Role }>, OptionalField>,
  string
>;
/** Both halves of a turn share one chatId (wire-contract 3.1); fields are in wire order. */
const question: Fields<"user"> = {
  role: "'user'",
  content: `CASE
      WHEN is_cut AND length(question) > ${longestText} THEN left(question, ${longestText}) || $6
      ELSE question
    END`,
  sentAt: "sent_at",
  attachments: "attachments",
  chatId: "id",
};
const answer: Fields<"assistant"> = {
  role: "'assistant'",
  // Existing clients know the answers of agents as chats or charts (wire-contract 5.6).
  type: `CASE
      WHEN chart IS NOT NULL AND NOT is_cut THEN 'rechartVisualize'
      WHEN mode = 'automatic' THEN 'chat'
      ELSE mode
    END`,
  content: `CASE
      WHEN is_cut AND length(answer) > ${longestText} THEN left(answer, ${longestText}) || $6
      WHEN NOT is_cut THEN coalesce(chart, answer)
      ELSE answer
    END`,
  sources: "CASE WHEN is_cut THEN '[]'::json ELSE sources END",
  chatId: "id",
  sentAt: "sent_at",
  feedbackScore: "feedback",
  metrics: "coalesce(metrics, '{}'::json)",
};
/** The gateway takes the reasoning out of what visitors read. */
const visitorAnswer = { ...answer, reasoning: "CASE WHEN NOT is_cut THEN reasoning END" };
const toJson = (fields: Record<string, string>): string =>
  `(SELECT row_to_json(item)::text FROM (SELECT ${Object.entries(fields)
    .map(([name, value]) => `${value} AS "${name}"`)
    .join(", ")}) item)`;
/** Fields of answers that are absent if they are empty, by the column with their JSON. */
const optional: Record<OptionalField, string> = {
  outputs: "files",
  clarifyingQuestions: "forms",
};
const toAnswer = (fields: Record<string, string>): string =>
  `CASE
      WHEN files IS NULL AND forms IS NULL THEN ${toJson(fields)}
      ELSE left(${toJson(fields)}, -1)${Object.entries(optional)
        .map(([name, column]) => ` || coalesce(',"${name}":' || ${column}, '')`)
        .join("")} || '}'
    END`;

/**
 * The version identifies the stored rows themselves, so it needs no upkeep: PostgreSQL writes a
 * changed row to another place (`ctid`) in another transaction (`xmin`). Texts are read only if it
 * differs.
 */
const build = (thread: string, answerFields: Record<string, string> = answer): string => `
  WITH asked AS MATERIALIZED (SELECT id FROM chat.thread WHERE workspace_id = $1 AND ${thread}),
  candidate AS MATERIALIZED (
    SELECT turn.id, turn.ctid AS place, turn.xmin AS writer
    FROM chat.turn
    WHERE turn.thread_id = (SELECT id FROM asked)
      AND turn.workspace_id = $1
      AND turn.user_id IS NOT DISTINCT FROM $2::int
      AND ($4::int IS NULL OR turn.id < $4)
      AND ${visibleTurn("turn")}
      AND NOT ${stoppedAgentTurn}
    ORDER BY turn.id DESC LIMIT ${maxRead}
  ),
  stored AS MATERIALIZED (
    SELECT coalesce(
      hashtextextended(string_agg(concat_ws(' ', id, place, writer), ',' ORDER BY id), 0), 0
    )::text AS version
    FROM candidate
  )
  SELECT asked.id AS "threadId", stored.version, page.*
  FROM stored
  LEFT JOIN asked ON true
  CROSS JOIN LATERAL (
    SELECT string_agg(${toJson(question)} || ',' || ${toAnswer(answerFields)}, ',' ORDER BY id) AS items,
      min(id) AS oldest, count(*)::int AS count, max(read)::int AS read,
      coalesce(bool_or(attached LIKE '%"blobKey"%'), false) AS "hasImages"
    FROM (
      SELECT ranked.*, floor(extract(epoch FROM created_at))::bigint AS sent_at,
        CASE
          WHEN size - octet_length(attached)
            + least(octet_length(attached), ${longestText}) > ${turnBytes} THEN true
          WHEN size > ${pageBytes} THEN octet_length(
            to_json(
              concat(to_json(question), to_json(answer), sources, attached, to_json(chart), forms)
            )::text
          ) > ${replyBytes}
          ELSE false
        END AS is_cut
      FROM (
        SELECT measured.*, count(*) OVER () AS read, sum(size) OVER (ORDER BY id DESC) AS total,
          row_number() OVER (ORDER BY id DESC) AS rank
        FROM (
          SELECT turn.*, turn.attachments::text AS attached, made.chart, made.files, made.forms,
            octet_length(question) + octet_length(answer) + octet_length(sources::text)
              + octet_length(attachments::text) + 400
              + coalesce(octet_length(to_json(made.chart)::text), 0)
              + coalesce(octet_length(made.files), 0) + coalesce(octet_length(made.forms), 0) AS size
          FROM candidate
          JOIN chat.turn USING (id)
          LEFT JOIN LATERAL (${madeBySteps}) made ON true
        ) measured
      ) ranked
      WHERE total <= ${pageBytes} OR rank = 1
    ) fitting
    WHERE stored.version IS DISTINCT FROM $5
  ) page`;
const ofNamedThread = build(namedThread);
const ofDefaultThread = build(defaultThread);
const ofConversation = build(conversationThread);
const ofVisit = build(conversationThread, visitorAnswer);

/** In JSON texts, quotes are escaped, so only fields match. */
const citedDocument = /"documentId" ?: ?"([^"]+)"/g;

interface Row {
  threadId: number | null;
  version: string;
  items: string | null;
  oldest: number | null;
  count: number;
  read: number | null;
  hasImages: boolean;
}

/** Histories as JSON for existing clients, built by PostgreSQL. */
@Injectable()
export class HistoryRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly citations: CitationAccess,
  ) {}

  /**
   * What existing clients see of a thread: the newest turns before `before` that fit into a page. A
   * default thread or a conversation without messages is empty; throws THREAD_NOT_FOUND for any
   * other thread that is missing or another user's.
   */
  async readPage(
    scope: WorkspaceScope,
    { thread, conversation, before, knownVersion }: In<typeof readHistory>,
  ): Promise<Out<typeof readHistory>> {
    if (thread !== null && hasNullCharacter(thread)) throw threadNotFound();
    const [name, statement] =
      conversation?.channel === "widget"
        ? ["history-of-visit", ofVisit]
        : conversation != null
          ? ["history-of-conversation", ofConversation]
          : thread === null
            ? ["history-of-default-thread", ofDefaultThread]
            : ["history-of-thread", ofNamedThread];
    const [channel, sessionId, widgetId] = conversationValues(conversation ?? null);
    const [row] = await preparedQuery<Row>(this.dataSource, name, statement, [
      scope.workspace.id,
      scope.principal.userId,
      sessionId ?? thread,
      before,
      knownVersion,
      cutNotice,
      ...(channel === null ? [] : [channel, widgetId]),
    ]);
    const { threadId, version, items, oldest, count, read, hasImages } = row!;
    if (threadId === null && thread !== null && channel === null) throw threadNotFound();
    if (version === knownVersion) return { version, page: null };
    const isComplete = count === (read ?? 0) && count < maxRead;
    const masked = await this.mask(scope, items ?? "");
    return {
      // A page with hidden citations is read again each time: they may be shown again.
      version: masked === null ? version : `${version} masked`,
      page: { items: masked ?? items ?? "", next: isComplete ? null : oldest, hasImages },
    };
  }

  /** Without the citations that the caller may not read; null if there are none. */
  private async mask(scope: WorkspaceScope, items: string): Promise<string | null> {
    const cited = Array.from(items.matchAll(citedDocument), ([, id]) => id!);
    const hidden = await this.citations.findHidden(scope, cited);
    if (hidden.size === 0) return null;
    return (JSON.parse(`[${items}]`) as HistoryItem[])
      .map((item) =>
        JSON.stringify(
          item.role === "user"
            ? item
            : { ...item, sources: maskSources(item.sources as SourceWire[], hidden) },
        ),
      )
      .join(",");
  }
}
