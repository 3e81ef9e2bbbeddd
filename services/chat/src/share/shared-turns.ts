import {
  clipText,
  listCitedNumbers,
  quotingProvider,
  splitReasoning,
  withoutHeader,
  type AnswerKind,
  type QuestionMention,
  type ReasoningBlock,
  type RecordedReasoning,
  type ShareAudience,
  type SharedSource,
  type SharedTurn,
  type SourceWire,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** A stored turn, with its place in the link's list of turns. */
export interface StoredTurn {
  position: number;
  question: string;
  answer: string;
  reasoning: RecordedReasoning | null;
  answerKind: AnswerKind | null;
  sources: SourceWire[];
  mentions: QuestionMention[];
  model: string | null;
  created_at: Date;
}

/** A reply may take 1 MB, and a character up to six bytes of it. */
const pageBytes = 500_000;
const longestText = 60_000;
/** Characters of one passage, and of all passages of an answer. */
const longestPassage = 8_000;
const longestPassages = 40_000;
const longestTitle = 300;
const cutNotice = "\n\n…";

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : clipText(text, longest) + cutNotice;

function cutReasoning(blocks: readonly ReasoningBlock[]): ReasoningBlock[] {
  let room = longestText;
  return blocks.flatMap((block) => {
    if (room <= 0) return [];
    const text = cut(block.text, room);
    room -= block.text.length;
    return { ...block, text };
  });
}

/** Only what the answer cites: a link shows no other passages of a document. */
function mapSources(answer: string, sources: readonly SourceWire[]): SharedSource[] {
  let room = longestPassages;
  return listCitedNumbers(answer, sources.length).map((number) => {
    const { title, page, headingPath, text, isHidden } = sources[number - 1]!;
    // Sources of old turns have none.
    const heading = headingPath?.at(-1);
    const shown = cut(withoutHeader(text), Math.min(longestPassage, room));
    room = Math.max(0, room - shown.length);
    return {
      number,
      title: clipText(title, longestTitle),
      page: page ?? null,
      ...(heading !== undefined && { heading: clipText(heading, longestTitle) }),
      text: shown,
      ...(isHidden && { isHidden }),
    };
  });
}

/** What a reader sees in addition to questions, answers and what these cite. */
interface Shown {
  reasoning: boolean;
  mentions: (all: readonly QuestionMention[]) => QuestionMention[];
}

function mapSharedTurn(turn: StoredTurn, shown: Shown): SharedTurn {
  const { answer, reasoning } = splitReasoning(turn.answer, turn.reasoning);
  const mentions = shown.mentions(turn.mentions);
  return {
    question: cut(turn.question, longestText),
    ...(mentions.length > 0 && { mentions }),
    answer: cut(answer, longestText),
    ...(shown.reasoning && reasoning.length > 0 && { reasoning: cutReasoning(reasoning) }),
    ...(turn.answerKind !== null && { answerKind: turn.answerKind }),
    sentAt: turn.created_at.toISOString(),
    model: turn.model,
    sources: mapSources(answer, turn.sources),
  };
}

/** As many turns as fit into a page, at least one, and where the next page starts. */
export function fitPage(
  rows: readonly StoredTurn[],
  maxTurns: number,
  shown: Shown,
): { turns: SharedTurn[]; next: number | null } {
  const turns: SharedTurn[] = [];
  let room = pageBytes;
  for (const [index, row] of rows.entries()) {
    const turn = mapSharedTurn(row, shown);
    room -= Buffer.byteLength(JSON.stringify(turn));
    if (turns.length > 0 && (room < 0 || turns.length === maxTurns))
      return { turns, next: rows[index - 1]!.position };
    turns.push(turn);
  }
  return { turns, next: null };
}

export interface OpenShare {
  id: number;
  /** null on an instance without accounts. */
  userId: number | null;
  audience: ShareAudience;
  sharedAt: Date;
  showReasoning: boolean;
  /** null: the default thread. */
  name: string | null;
}

/** Reads what a link shows. The token's hash is the permission, so no statement names a caller. */
@Injectable()
export class SharedThreadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns null if it doesn't exist, has expired, or its thread was deleted. */
  async open(tokenHash: string): Promise<OpenShare | null> {
    const rows = await queryRows<OpenShare>(
      this.dataSource,
      `SELECT share.id, share.user_id AS "userId", share.audience, share.shared_at AS "sharedAt",
        share.show_reasoning AS "showReasoning",
        CASE WHEN thread.slug IS NOT NULL THEN thread.name END AS name
      FROM chat.share
      JOIN chat.thread ON thread.id = share.thread_id AND thread.deleted_at IS NULL
      WHERE share.token_hash = $1 AND (share.expires_at IS NULL OR share.expires_at > now())`,
      [tokenHash],
    );
    return rows[0] ?? null;
  }

  /**
   * The shared turns after position `after`, without those deleted since. Their versions don't
   * matter: switching to another branch doesn't change what a link shows.
   */
  async listTurns(shareId: number, after: number, limit: number): Promise<StoredTurn[]> {
    return queryRows<StoredTurn>(
      this.dataSource,
      `SELECT shown.position::int AS position, turn.agent_call || turn.question AS question,
        turn.answer, turn.reasoning, turn.sources, turn.mentions,
        CASE WHEN turn.metrics->>'provider' <> $4 THEN turn.metrics->>'model' END AS model,
        turn.metrics->>'answer_kind' AS "answerKind", turn.created_at
      FROM chat.share
      CROSS JOIN LATERAL unnest(share.turn_ids) WITH ORDINALITY shown (turn_id, position)
      JOIN chat.turn ON turn.id = shown.turn_id
        AND turn.thread_id = share.thread_id
        AND turn.user_id IS NOT DISTINCT FROM share.user_id
      WHERE share.id = $1 AND shown.position > $2 AND NOT turn.hidden AND NOT turn.removed
      ORDER BY shown.position LIMIT $3`,
      [shareId, after, limit, quotingProvider],
    );
  }
}
