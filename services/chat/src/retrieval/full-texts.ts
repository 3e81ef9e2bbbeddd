import { clipText } from "@carrel/contracts";
import type { listContextTexts, Out, Passage, SourceWire } from "@carrel/contracts";
import { splitText } from "@carrel/retrieval";
import { documentHeader } from "./select-sources.ts";

/** A pinned document, or a file attached to the thread. */
export type FullText = Out<typeof listContextTexts>["texts"][number];

/** wire-contract 4.7: how much of a full text its source contains, and what follows it. */
const sourceCharacters = 1_000;
const sourceEnd = "...continued on in source document...";

/** The text as it goes into the prompt: whole, under the same header as passages. */
export const promptText = (text: FullText): string => documentHeader(text) + text.text;

/**
 * The text as a source of the answer: its beginning, without a score (wire-contract 4.7 and 4.8).
 */
export function fullTextSource(text: FullText): SourceWire {
  return {
    id: text.documentId,
    url: text.url,
    title: text.title,
    docAuthor: text.docAuthor,
    description: text.description,
    docSource: text.docSource,
    chunkSource: text.chunkSource,
    published: text.published,
    wordCount: text.wordCount,
    token_count_estimate: text.token_count_estimate,
    text: clipText(text.text, sourceCharacters) + sourceEnd,
    documentId: text.documentId,
    docpath: "",
    page: null,
    start: 0,
    end: Math.min(sourceCharacters, text.text.length),
    headingPath: [],
  };
}

/**
 * Cuts full texts into passages for the built-in answerer, at most `maxCharacters` in total. They
 * don't come from search: their score is 1 so that only their sentences decide, and no source shows
 * it (`isUnscored`).
 */
export function cutIntoPassages(texts: readonly FullText[], maxCharacters: number): Passage[] {
  let room = maxCharacters;
  return texts.flatMap((text) => {
    const readable = clipText(text.text, room);
    room -= readable.length;
    return splitText({ text: readable }).map((chunk): Passage => ({
      chunkId: `${text.documentId}:${chunk.start}`,
      documentId: text.documentId,
      docpath: "",
      title: text.title,
      text: readable.slice(chunk.start, chunk.end),
      start: chunk.start,
      end: chunk.end,
      page: null,
      headingPath: chunk.headingPath,
      rectangles: [],
      score: 1,
      denseScore: null,
      textScore: null,
      url: text.url,
      docAuthor: text.docAuthor,
      description: text.description,
      docSource: text.docSource,
      chunkSource: text.chunkSource,
      published: text.published,
      wordCount: text.wordCount,
      tokenCountEstimate: text.token_count_estimate,
    }));
  });
}
