import {
  CarrelError,
  clipText,
  documentHeader,
  listContextTexts,
  type Out,
  type Passage,
  type SourceWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { splitText } from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";

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
      ...(text.asOf !== undefined && { asOf: text.asOf, revision: text.revision }),
    }));
  });
}

/** Reads the texts that go into a prompt in full. */
@Injectable()
export class FullTextReader {
  constructor(private readonly requests: RequestClient) {}

  /**
   * Returns pinned documents, then the files attached to the thread (null: none), up to
   * `maximumCharacters` in total. Texts that don't fit into one reply arrive in parts and are
   * joined.
   */
  async list(
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
        page = await this.requests.request(
          listContextTexts,
          { threadId, maximumCharacters, after },
          { scope },
        );
      } catch (error) {
        // During a rolling update, a replica of ingest may still run an earlier version.
        if (error instanceof CarrelError && error.kind === "UNSUPPORTED") return [];
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
}
