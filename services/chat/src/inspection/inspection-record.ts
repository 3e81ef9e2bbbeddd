import type { InspectedPassage, InspectedPrompt, SearchTrace, SourceWire } from "@carrel/contracts";
import { buildMemories } from "../prompt/build-prompt.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { isFullText, type OfferedPiece, type RunNotes } from "./run-notes.ts";

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
  mode: "chat" | "query";
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
