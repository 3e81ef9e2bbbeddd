import {
  CarrelError,
  listContextTexts,
  type Out,
  type SourceWire,
  type WorkspaceScope,
  type Passage,
} from "@carrel/contracts";
import type { RequestClient } from "@carrel/messaging";
import { splitText } from "@carrel/retrieval";
import { documentHeader } from "./select-sources.ts";

/** A pinned document, or a file that was dropped on the thread. */
export type FullText = Out<typeof listContextTexts>["texts"][number];

/** wire-contract 4.7: what of a full text stands in its source, and what follows it. */
const sourceCharacters = 1_000;
const sourceEnd = "...continued on in source document...";

/**
 * Pinned documents, then the files of the thread (null: of none), until `maximumCharacters`
 * together. Longer texts than one reply holds
 * come in parts and are joined.
 */
export async function listFullTexts(
  requests: RequestClient,
  scope: WorkspaceScope,
  threadId: number | null,
  maximumCharacters: number,
  signal?: AbortSignal,
): Promise<FullText[]> {
  const texts: FullText[] = [];
  let after: string | null = null;
  do {
    signal?.throwIfAborted();
    let page: Out<typeof listContextTexts>;
    try {
      page = await requests.request(
        listContextTexts,
        { threadId, maximumCharacters, after },
        { scope },
      );
    } catch (error) {
      // An ingest of an earlier version, while replicas are exchanged one by one.
      if (error instanceof CarrelError && error.code === "UNSUPPORTED") return [];
      throw error;
    }
    for (const part of page.texts) {
      const last = texts.at(-1);
      if (last !== undefined && last.documentId === part.documentId && last.kind === part.kind)
        last.text += part.text;
      else texts.push({ ...part });
    }
    after = page.next;
  } while (after !== null);
  return texts.filter(({ text }) => text.trim() !== "");
}

/** As it is put into the prompt: whole, under the header that passages have too. */
export const promptText = (text: FullText): string => documentHeader(text) + text.text;

/** As a source of the answer: its beginning, without a score (wire-contract 4.7 and 4.8). */
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
    text: text.text.slice(0, sourceCharacters) + sourceEnd,
    documentId: text.documentId,
    docpath: "",
    page: null,
    start: 0,
    end: Math.min(sourceCharacters, text.text.length),
    headingPath: [],
  };
}

/**
 * Full texts cut into passages for the answerer that quotes, at most `mostCharacters` of them
 * together. Nobody searched for
 * them: their score is 1 so that their sentences alone decide, and no source shows it
 * (`isUnscored`).
 */
export function passagesOf(texts: readonly FullText[], mostCharacters: number): Passage[] {
  let room = mostCharacters;
  return texts.flatMap((text) => {
    const readable = text.text.slice(0, Math.max(0, room));
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
