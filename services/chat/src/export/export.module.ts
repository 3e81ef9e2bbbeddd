import {
  clipText,
  exportThread,
  splitReasoning,
  type FeedbackReason,
  type In,
  type Out,
  type RecordedReasoning,
  type SourceWire,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { CitationAccess } from "../turn/citation-access.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { inWorkspace } from "../workspace-scope.ts";

/** Page size in bytes; a reply may take 1 MB. */
const pageBytes = 700_000;
/** Characters of an answer and its reasoning per page; each takes at most six bytes as JSON. */
const pieceLength = 100_000;
const maxRows = 200;
/** Bytes for the headings of a turn's sources; the rest of a reply is for its texts and titles. */
const headingBytes = 50_000;

type Page = Out<typeof exportThread>;
export interface ExportRow {
  id: number;
  question: string;
  answer: string;
  reasoning: RecordedReasoning | null;
  sources: SourceWire[];
  created_at: Date;
  mode: string;
  feedback: boolean | null;
  feedback_reason: FeedbackReason | null;
}

@Controller()
class ExportHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly citations: CitationAccess,
  ) {}

  @Handle(exportThread)
  async export(input: In<typeof exportThread>, ctx: RequestContext): Promise<Page> {
    const scope = inWorkspace(ctx.scope);
    const thread = await this.threads.find(scope, input.threadSlug);
    if (thread === null && input.threadSlug !== null) throw threadNotFound();
    if (thread === null) return { name: "", turns: [], next: null, nextFrom: 0 };
    // With `from`, the turn `after` itself continues.
    const rows = await queryRows<ExportRow>(
      this.dataSource,
      `SELECT id, agent_call || question AS question, answer, reasoning, sources, created_at, mode,
        feedback, feedback_reason
      FROM chat.turn
      WHERE thread_id = $1
        AND workspace_id = $2
        AND user_id IS NOT DISTINCT FROM $3
        AND id ${input.from > 0 ? ">=" : ">"} $4
        AND ${visibleTurn("turn")}
      ORDER BY id LIMIT ${maxRows + 1}`,
      [thread.id, scope.workspace.id, scope.principal.userId, input.after ?? 0],
    );
    return {
      name: thread.slug === null ? "" : thread.name,
      ...cutPage(await this.citations.mask(scope, rows), input.after, input.from),
    };
  }
}

/** Fits as many turns as possible into a page; a longer answer continues on the next page. */
export function cutPage(
  rows: readonly ExportRow[],
  after: number | null,
  from: number,
): Omit<Page, "name"> {
  const turns: Page["turns"] = [];
  let room = pageBytes;
  for (const row of rows) {
    const begin = row.id === after ? from : 0;
    const { length, ...texts } = cutTexts(row, begin, begin + pieceLength);
    const turn = {
      id: row.id,
      question: begin === 0 ? row.question : "",
      ...texts,
      sentAt: Math.floor(row.created_at.getTime() / 1000),
      mode: row.mode,
      feedback: row.feedback,
      feedbackReason: row.feedback_reason,
      sources: begin === 0 ? describeSources(row.sources) : [],
    };
    room -= Buffer.byteLength(JSON.stringify(turn));
    const last = turns.at(-1)?.id ?? after;
    if (turns.length > 0 && (room < 0 || turns.length === maxRows))
      return { turns, next: last, nextFrom: 0 };
    turns.push(turn);
    if (begin + pieceLength < length) return { turns, next: row.id, nextFrom: begin + pieceLength };
  }
  return { turns, next: null, nextFrom: 0 };
}

/** Without the headings for which there is no room. */
function describeSources(sources: readonly SourceWire[]): Page["turns"][number]["sources"] {
  let room = headingBytes;
  return sources.slice(0, 200).map(({ title, page, headingPath }) => {
    const heading = clipText(headingPath?.at(-1) ?? "", 300);
    room -= Buffer.byteLength(JSON.stringify(heading));
    return {
      title: clipText(title, 300),
      page: page ?? null,
      ...(heading !== "" && room >= 0 ? { heading } : {}),
    };
  });
}

/** A part of an answer's texts as if they were one: its reasoning, then the answer. */
function cutTexts(
  row: ExportRow,
  begin: number,
  end: number,
): Pick<Page["turns"][number], "answer" | "reasoning"> & { length: number } {
  const { answer, reasoning } = splitReasoning(row.answer, row.reasoning);
  let length = 0;
  const take = (text: string): string => {
    const from = length;
    length += text.length;
    return text.slice(Math.max(0, begin - from), Math.max(0, end - from));
  };
  const blocks = reasoning
    .map((block, index) => ({ ...block, index, text: take(block.text) }))
    .filter(({ text }) => text !== "");
  return {
    ...(blocks.length > 0 && { reasoning: blocks }),
    answer: take(answer),
    length,
  };
}

@Module({ imports: [ThreadModule, TurnModule], controllers: [ExportHandler] })
export class ExportModule {}
