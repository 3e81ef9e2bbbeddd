import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TextRow, VectorStore } from "@carrel/vector-store";
import { chunkTerms } from "../src/chunk-terms.ts";
import { closestPassages } from "../src/closest-passages.ts";
import { detectLanguage } from "../src/language.ts";
import { quoteSentences } from "../src/quote-sentences.ts";
import { rankCandidates, searchCandidates, searchedWords } from "../src/search.ts";
import { selectPassages, type ChunkPlace } from "../src/select-passages.ts";
import { splitText } from "../src/split-text.ts";

/**
 * `document` and `fact` (part of one of its sentences) are set if the documents answer the
 * question.
 */
export interface QueryModeQuestion {
  question: string;
  document?: string;
  fact?: string;
}
/** Folders next to this file, with ten documents and forty questions each. */
export const queryModeSets = [
  "query-mode",
  "query-mode-company",
  "query-mode-science",
  "query-mode-short",
  "query-mode-minutes",
  "query-mode-town",
  "query-mode-everyday",
] as const;
export type QueryModeSet = (typeof queryModeSets)[number];
const folderOf = (set: QueryModeSet): string => join(import.meta.dirname, set);

export async function queryModeQuestions(set: QueryModeSet): Promise<QueryModeQuestion[]> {
  return (
    JSON.parse(await readFile(join(folderOf(set), "questions.json"), "utf8")) as {
      questions: QueryModeQuestion[];
    }
  ).questions;
}

/**
 * Indexes texts like ingest and answers like chat in query mode, using only this library and a
 * store.
 */
export async function openLibrary(
  store: VectorStore,
  workspaceId: number,
  texts: { title: string; text: string }[],
) {
  const places = new Map<string, ChunkPlace>();
  const headingsOf = (text: string) => {
    const path: string[] = [];
    return [...text.matchAll(/^(#+) (.*)$/gm)].map((match) => {
      path.length = match[1]!.length - 1;
      path.push(match[2]!);
      return { start: match.index, path: path.filter(Boolean) };
    });
  };
  const headingAt = new Map<string, string[]>();
  const rows: TextRow[] = [];
  for (const { title, text } of texts) {
    const language = detectLanguage(text);
    rows.push(
      ...splitText({ text, headings: headingsOf(text) }).map((chunk) => {
        const id = randomUUID();
        places.set(id, { documentId: title, start: chunk.start, end: chunk.end });
        headingAt.set(id, chunk.headingPath);
        return {
          id,
          workspaceId,
          documentId: title,
          version: 1,
          terms: chunkTerms({
            text: text.slice(chunk.start, chunk.end),
            title,
            headingPath: chunk.headingPath,
            language,
          }),
        };
      }),
    );
  }
  await store.text.upsert(rows);
  const textOf = new Map(texts.map(({ title, text }) => [title, text]));
  return {
    async ask(
      question: string,
      options: { threshold?: number; topN?: number; previousQuestion?: string } = {},
    ) {
      const { threshold = 0.25, topN = 4, previousQuestion = null } = options;
      const candidates = await searchCandidates(
        { text: store.text, vectors: null },
        {
          workspaceId,
          question,
          previousQuestion,
          vector: null,
          topN,
        },
      );
      const ranked = rankCandidates(candidates).chunks;
      const passages = selectPassages(ranked, places, { threshold, topN }).passages.map(
        (passage) => ({
          ...passage,
          title: passage.documentId,
          text: textOf.get(passage.documentId)!.slice(passage.start, passage.end),
          headingPath: headingAt.get(passage.chunkId) ?? [],
        }),
      );
      const searched = searchedWords(candidates);
      const asked = { question, previousQuestion, passages, searched, threshold };
      const quotes = quoteSentences(asked);
      return {
        ranked,
        passages,
        searched,
        quotes,
        closest: quotes.length > 0 ? [] : closestPassages(asked),
      };
    },
  };
}

export async function queryModeDocuments(
  set: QueryModeSet,
): Promise<{ title: string; text: string }[]> {
  const folder = join(folderOf(set), "documents");
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (title) => ({ title, text: await readFile(join(folder, title), "utf8") })),
  );
}
