import {
  clipText,
  listCitedNumbers,
  splitReasoning,
  type AnswerKind,
  type QuestionMention,
  type ReasoningBlock,
  type RecordedReasoning,
  type SharedSource,
  type SharedTurn,
  type SourceWire,
} from "@carrel/contracts";
import { withoutHeader } from "../retrieval/select-sources.ts";

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
    const { title, page, headingPath, text } = sources[number - 1]!;
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
    };
  });
}

/** What a reader sees in addition to questions, answers and what these cite. */
interface Shown {
  reasoning: boolean;
  mentions: boolean;
}

function mapSharedTurn(turn: StoredTurn, shown: Shown): SharedTurn {
  const { answer, reasoning } = splitReasoning(turn.answer, turn.reasoning);
  return {
    question: cut(turn.question, longestText),
    ...(shown.mentions && turn.mentions.length > 0 && { mentions: turn.mentions }),
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
