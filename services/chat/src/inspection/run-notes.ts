import type { InspectedPassage, Passage, SearchTrace, SourceWire } from "@carrel/contracts";
import { fullTextSource, promptText, type FullText } from "../retrieval/full-texts.ts";
import { selectSources } from "../retrieval/select-sources.ts";

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
