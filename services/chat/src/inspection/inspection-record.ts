import type {
  ChatMode,
  InspectedPassage,
  InspectedPrompt,
  Passage,
  SearchTrace,
  SourceWire,
} from "@carrel/contracts";
import { buildMemories } from "../prompt/build-prompt.ts";
import { selectSources } from "../retrieval/earlier-sources.ts";
import { fullTextSource, promptText, type FullText } from "../retrieval/full-texts.ts";

/** A text offered for the prompt, with the source that shows it. */
export interface OfferedPiece {
  origin: InspectedPassage["origin"];
  text: string;
  documentId: string;
  start: number;
  end: number;
  score: number | null;
  source: SourceWire | null;
}

/**
 * Data that a run records for the inspector: references only, so that nothing is computed while it
 * answers.
 */
export interface RunNotes {
  searches: SearchTrace[];
  /** Pieces offered for the prompt, in its order. */
  offered: OfferedPiece[];
  /** What the model received; null if no model was called. */
  prompt: {
    contextWindow: number;
    instructions: string;
    memories: readonly string[];
    question: string;
    history: readonly { question: string; answer: string }[];
    turnsGiven: number;
    fullTexts: readonly string[];
    contextTexts: readonly string[];
    imageTokens: number;
    counted: number | null;
    factor: number;
    isCut: boolean;
  } | null;
  /**
   * IDs of the chunks the built-in answerer quoted, by citation number; null if a model answered.
   */
  quoted: string[] | null;
}

export const emptyNotes = (): RunNotes => ({
  searches: [],
  offered: [],
  prompt: null,
  quoted: null,
});

/** Returns full texts and passages as pieces of the prompt, in its order. */
export function offerPieces(
  fullTexts: readonly FullText[],
  passages: readonly Passage[],
): OfferedPiece[] {
  const sources = selectSources(passages);
  return [
    ...fullTexts.map((text) => ({
      origin: text.kind === "pinned" ? ("pinned" as const) : ("file" as const),
      text: promptText(text),
      documentId: text.documentId,
      start: 0,
      end: text.text.length,
      score: null,
      source: fullTextSource(text),
    })),
    ...passages.map(({ documentId, start, end, score }, index) => ({
      origin: "found" as const,
      text: sources[index]!.text,
      documentId,
      start,
      end,
      score,
      source: sources[index]!,
    })),
  ];
}

/** Whether the piece is a full text rather than a passage. */
export const isFullText = ({ origin }: OfferedPiece): boolean =>
  origin === "pinned" || origin === "file";

/** A recorded text of the context: where it is, never its words. */
export type RecordedPassage = Pick<
  InspectedPassage,
  "origin" | "documentId" | "start" | "end" | "score" | "tokens" | "fate" | "source"
>;

/**
 * How an answer was produced, compact enough to keep one per answer: numbers and locations, about 5
 * kB with a search.
 */
export interface InspectionRecord {
  mode: ChatMode;
  provider: string | null;
  model: string | null;
  searches: SearchTrace[];
  passages: RecordedPassage[];
  prompt: InspectedPrompt | null;
}

/**
 * Builds the record of a run that ended. `reported` is the provider's own token count of the
 * prompt. Pure.
 */
export function buildRecord(
  notes: RunNotes,
  o: Pick<InspectionRecord, "mode" | "provider" | "model"> & {
    sources: readonly SourceWire[];
    reported: number | null;
  },
): InspectionRecord {
  const { prompt } = notes;
  const full = notes.offered.filter(isFullText),
    passages = notes.offered.filter((piece) => !isFullText(piece));
  const numbers = new Map(o.sources.map((source, index) => [source.id, index + 1]));
  const mapIncluded = (
    pieces: OfferedPiece[],
    texts: readonly string[] | null,
  ): RecordedPassage[] =>
    pieces.map((piece, index) => {
      const text = texts?.[index];
      const source = piece.source === null ? null : (numbers.get(piece.source.id) ?? null);
      const place = {
        origin: piece.origin,
        documentId: piece.documentId,
        start: piece.start,
        end: piece.end,
        score: piece.score,
      };
      if (notes.quoted !== null)
        return {
          ...place,
          tokens: 0,
          source: findQuoted(notes.quoted, piece),
          fate: findQuoted(notes.quoted, piece) === null ? "not-quoted" : "whole",
        };
      if (texts === null || text === undefined)
        return {
          ...place,
          tokens: 0,
          source: null,
          fate: texts === null ? "whole" : "over-budget",
        };
      return {
        ...place,
        tokens: estimateTokens(text),
        source,
        fate: text.length < piece.text.length ? "cut" : "whole",
      };
    });
  const recorded = [
    ...mapIncluded(full, prompt?.fullTexts ?? null),
    ...mapIncluded(passages, prompt?.contextTexts ?? null),
  ];
  const record = { mode: o.mode, provider: o.provider, model: o.model, searches: notes.searches };
  if (prompt === null) return { ...record, passages: recorded, prompt: null };
  const sum = (origins: readonly string[]): number =>
    recorded.reduce(
      (total, passage) => total + (origins.includes(passage.origin) ? passage.tokens : 0),
      0,
    );
  const raw = {
    system: estimateTokens(prompt.instructions),
    memories: estimateTokens(buildMemories(prompt.memories)),
    pinned: sum(["pinned"]),
    files: sum(["file"]),
    passages: sum(["found", "earlier"]),
    history: prompt.history.reduce(
      (total, turn) => total + estimateTokens(turn.question) + estimateTokens(turn.answer),
      0,
    ),
    question: estimateTokens(prompt.question),
  };
  const estimated = Object.values(raw).reduce((total, tokens) => total + tokens, 0);
  // The total is known more precisely than its parts, so it is distributed by their estimates.
  const [whole, basis] =
    o.reported !== null && o.reported > prompt.imageTokens
      ? ([o.reported - prompt.imageTokens, "reported"] as const)
      : prompt.counted !== null
        ? ([prompt.counted * prompt.factor, "counted"] as const)
        : ([estimated * prompt.factor, "estimated"] as const);
  const scale = (tokens: number): number =>
    Math.round(tokens * (estimated > 0 ? whole / estimated : 1));
  const tokens = {
    system: scale(raw.system),
    memories: scale(raw.memories),
    pinned: scale(raw.pinned),
    files: scale(raw.files),
    passages: scale(raw.passages),
    history: scale(raw.history),
    question: scale(raw.question),
    images: prompt.imageTokens,
  };
  return {
    ...record,
    passages: recorded.map((passage) => ({ ...passage, tokens: scale(passage.tokens) })),
    prompt: {
      contextWindow: prompt.contextWindow,
      tokens: { ...tokens, total: Object.values(tokens).reduce((total, each) => total + each, 0) },
      basis,
      turns: { given: prompt.turnsGiven, kept: prompt.history.length },
      isCut: prompt.isCut,
    },
  };
}

/**
 * Returns the number of the source a quote came from; a full text is cut into passages whose IDs
 * start with its own.
 */
function findQuoted(quoted: readonly string[], piece: OfferedPiece): number | null {
  const place = quoted.findIndex((id) =>
    isFullText(piece) ? id.startsWith(`${piece.documentId}:`) : id === piece.source?.id,
  );
  return place < 0 ? null : place + 1;
}

/** A long text is sampled: this many characters in total, from evenly spaced pieces. */
const looked = 4_000;
const places = 8;

/**
 * Estimates the tokens of a text from its characters alone, to compare the parts of a prompt when
 * counting would cost more than it is worth. Close for Latin scripts, within a third for others.
 */
export function estimateTokens(text: string): number {
  if (text.length <= looked) return Math.ceil(tokensOf(text));
  let tokens = 0;
  const step = Math.floor(text.length / places),
    piece = looked / places;
  for (let place = 0; place < places; place++)
    tokens += tokensOf(text.slice(place * step, place * step + piece));
  return Math.ceil(tokens * (text.length / looked));
}

function tokensOf(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Letters and spaces form words of four or five, digits come in threes, most other characters
    // are a token each.
    if (unit < 0x80)
      tokens +=
        (unit >= 0x61 && unit <= 0x7a) || unit === 0x20
          ? 0.21
          : unit >= 0x30 && unit <= 0x39
            ? 0.34
            : unit >= 0x41 && unit <= 0x5a
              ? 0.3
              : 0.5;
    else tokens += unit >= 0x2e80 ? 0.8 : 0.4;
  }
  return tokens;
}
