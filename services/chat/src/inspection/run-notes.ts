import type { InspectedPassage, Passage, SearchTrace, SourceWire } from "@carrel/contracts";
import { fullTextSource, promptText, type FullText } from "../retrieval/full-texts.ts";
import { selectSources } from "../retrieval/select-sources.ts";

/** A text that was meant for the prompt, with the source that shows it. */
export interface OfferedPiece {
  origin: InspectedPassage["origin"];
  text: string;
  documentId: string;
  start: number;
  end: number;
  score: number | null;
  source: SourceWire | null;
}

/** What a run notes for the inspector: references only, so nothing is computed while it answers. */
export interface RunNotes {
  searches: SearchTrace[];
  /** In the order of the prompt. */
  offered: OfferedPiece[];
  /** What the model was given of it; null: no model was asked. */
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
  /** Ids of the chunks that the built-in answerer quoted, by citation number; null: a model wrote. */
  quoted: string[] | null;
}

export const emptyNotes = (): RunNotes => ({
  searches: [],
  offered: [],
  prompt: null,
  quoted: null,
});

/** Full texts and passages as pieces of the prompt, in its order. */
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

/** Whether the piece is a text that goes in as a whole, not a passage. */
export const isFullText = ({ origin }: OfferedPiece): boolean =>
  origin === "pinned" || origin === "file";
