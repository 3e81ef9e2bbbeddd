import { clipText } from "@carrel/contracts";
import type { HistoryItem, In, Out, readAllTurns, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { hasNullCharacter } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { CitationAccess } from "./citation-access.ts";
import { madeBySteps, stoppedAgentTurn } from "./made-by-steps.ts";
import { cutNotice, longestText } from "./turn-cut.ts";
import type { Turn } from "./turn.entity.ts";

type Row = Pick<
  Turn,
  "id" | "question" | "answer" | "mode" | "sources" | "attachments" | "metrics" | "feedback"
> & {
  sentAt: number;
  /** JSON, each null if there is none. */
  chart: string | null;
  files: string | null;
  forms: string | null;
};

/** Turns read for one page. */
const maxRead = 100;
/** Size of a page in bytes: a reply may take 1 MB, and JSON in JSON has many backslashes. */
const pageBytes = 240_000;

/** Turns of all owners as the developer API shows them (wire-contract 9.4). */
@Injectable()
export class AllTurnsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly citations: CitationAccess,
  ) {}

  async page(
    scope: WorkspaceScope,
    { apiSessionId, threadSlug, ownerless, order, limit, after }: In<typeof readAllTurns>,
  ): Promise<Out<typeof readAllTurns>> {
    if ([apiSessionId, threadSlug].some((text) => text !== null && hasNullCharacter(text)))
      return { items: "", count: 0, next: null, hasImages: false };
    const wanted = Math.min(limit, maxRead);
    const rows = await queryRows<Row>(
      this.dataSource,
      `SELECT turn.id, turn.question, turn.answer, turn.mode, turn.sources, turn.attachments,
        turn.metrics, turn.feedback, floor(extract(epoch FROM turn.created_at))::int AS "sentAt",
        made.chart, made.files, made.forms
      FROM chat.turn
      JOIN chat.thread ON thread.id = turn.thread_id AND thread.deleted_at IS NULL
      LEFT JOIN LATERAL (${madeBySteps}) made ON true
      WHERE turn.workspace_id = $1
        AND CASE
          WHEN $2::text IS NOT NULL THEN thread.channel = 'api' AND thread.session_id = $2
          WHEN $3::text IS NOT NULL THEN thread.slug = $3
          ELSE thread.slug IS NULL AND thread.channel IS NULL
        END
        AND ($4::int IS NULL OR turn.id ${order === "asc" ? ">" : "<"} $4)
        AND (turn.user_id IS NULL OR NOT $6::boolean)
        AND ${visibleTurn("turn")}
        AND NOT ${stoppedAgentTurn}
      ORDER BY turn.id ${order === "asc" ? "ASC" : "DESC"} LIMIT $5`,
      [scope.workspace.id, apiSessionId, threadSlug, after, wanted, ownerless],
    );
    let room = pageBytes;
    const items = (await this.citations.mask(scope, rows)).map(render);
    const fitting = items.filter((item, index) => {
      room -= Buffer.byteLength(item);
      return room >= 0 || index === 0;
    });
    const isComplete = fitting.length === rows.length && rows.length < wanted;
    return {
      items: fitting.join(","),
      count: fitting.length,
      next: isComplete ? null : (rows[fitting.length - 1]?.id ?? null),
      hasImages: fitting.some((item) => item.includes('"blobKey"')),
    };
  }
}

/** Both halves of a turn, in wire order. */
function render(row: Row): string {
  const whole = renderTurn(row);
  return Buffer.byteLength(whole) <= pageBytes
    ? whole
    : renderTurn({
        ...row,
        question: cut(row.question),
        answer: cut(row.answer),
        sources: [],
        chart: null,
      });
}

function renderTurn({ id: chatId, sentAt, ...row }: Row): string {
  const halves: HistoryItem[] = [
    { role: "user", content: row.question, sentAt, attachments: row.attachments, chatId },
    {
      role: "assistant",
      // Agents' answers are chats, or charts (wire-contract 5.6).
      type: row.chart !== null ? "rechartVisualize" : row.mode === "automatic" ? "chat" : row.mode,
      content: row.chart ?? row.answer,
      sources: row.sources,
      chatId,
      sentAt,
      feedbackScore: row.feedback,
      metrics: row.metrics ?? {},
      ...(row.files !== null && { outputs: parse<"outputs">(row.files) }),
      ...(row.forms !== null && {
        clarifyingQuestions: parse<"clarifyingQuestions">(row.forms),
      }),
    },
  ];
  return halves.map((half) => JSON.stringify(half)).join(",");
}

const parse = <Field extends "outputs" | "clarifyingQuestions">(json: string) =>
  JSON.parse(json) as Extract<HistoryItem, { role: "assistant" }>[Field];

const cut = (text: string): string =>
  text.length <= longestText ? text : `${clipText(text, longestText)}${cutNotice}`;
