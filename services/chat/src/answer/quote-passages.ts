import type { Passage } from "@carrel/contracts";
import {
  closestPassages,
  quoteSentences,
  readSummaryRequest,
  summarise,
  type QuotedSentence,
} from "@carrel/retrieval";
import { isClearAlone } from "../retrieval/follow-up.ts";
import type { Reading } from "../retrieval/readings.ts";
import { isRated } from "../retrieval/select-sources.ts";
import { pageAt } from "./cited-page.ts";

/** The quoted passages, and the quotes, each with the 1-based position of its passage. */
export interface Quotation {
  /** closest-passages: nothing answers the question; the passages are the excerpts themselves. */
  kind: "answer" | "closest-passages" | "nothing-found";
  passages: Passage[];
  quotes: { text: string; passage: number }[];
}

export interface QuoteTask {
  question: string;
  /** Read in full instead of searched for, as passages. */
  fullTexts: readonly Passage[];
  /** Passages found for the question alone and with its context, the likelier reading first. */
  readings: readonly Reading[];
  /** Passages from all readings, best first. */
  passages: readonly Passage[];
  threshold: number;
}

/**
 * Quotes at most three sentences, lists, tables or pieces of code verbatim. If none reaches the
 * threshold: up to three excerpts of the closest passages. A summary that is asked for consists of
 * the most central sentences.
 */
export function quotePassages(task: QuoteTask): Quotation {
  const { question, threshold } = task;
  const all = [...task.fullTexts, ...task.passages];
  const topic = readSummaryRequest(question);
  if (topic !== null) return cite(all, summarise(all.map(mapQuotable), topic));
  const contexts = task.readings.map(({ context }) => context);
  const isQuoted = (context: string | null): boolean =>
    context !== null || contexts.length === 1 || isClearAlone(question);
  for (const { context, passages, searched } of task.readings) {
    if (!isQuoted(context)) continue;
    // Scores of two searches can't be compared, so each reading is quoted from what it found.
    const read = [...task.fullTexts, ...passages];
    const quoted = quoteSentences({
      question,
      previousQuestion: context,
      passages: read.map(mapQuotable),
      searched,
      threshold,
    });
    // A short question that says what it asks for isn't answered by the previous one's answer.
    const isOfPreviousOnly =
      context !== null &&
      contexts[0] === null &&
      closestPassages({
        question,
        previousQuestion: null,
        passages: quoted.map(({ text, passage }) => ({ ...mapQuotable(read[passage - 1]!), text })),
        threshold,
      }).length === 0;
    if (quoted.length > 0 && !isOfPreviousOnly) return cite(read, quoted);
  }
  const closest = closestPassages({
    question,
    previousQuestion: contexts[0] ?? null,
    passages: all.map(mapQuotable),
    searched: task.readings[0]?.searched ?? [],
    threshold,
  });
  return closest.length > 0
    ? excerpt(all, closest)
    : { kind: "nothing-found", passages: [], quotes: [] };
}

const mapQuotable = (passage: Passage) => ({
  text: passage.text,
  title: passage.title,
  documentId: passage.documentId,
  headingPath: passage.headingPath,
  score: passage.score,
  isUnrated: !isRated(passage),
});

/** Keeps only quoted passages as sources, numbered in the order the answer cites them. */
export function cite(
  passages: readonly Passage[],
  quoted: readonly { text: string; passage: number; start?: number }[],
): Quotation {
  const numbers = new Map<number, number>();
  const quotes = quoted.map((quote) => {
    const number = numbers.get(quote.passage) ?? numbers.size + 1;
    numbers.set(quote.passage, number);
    return { text: quote.text, passage: number };
  });
  return {
    kind: quotes.length === 0 ? "nothing-found" : "answer",
    passages: [...numbers.keys()].map((place) => {
      const passage = passages[place - 1]!;
      const start = quoted.find((quote) => quote.passage === place)?.start ?? 0;
      return { ...passage, page: pageAt(passage, passage.start + start) };
    }),
    quotes,
  };
}

/** Each excerpt is a separate source, so that its citation opens exactly there. */
const excerpt = (passages: readonly Passage[], closest: readonly QuotedSentence[]): Quotation => ({
  kind: "closest-passages",
  passages: closest.map(({ text, passage: place, start, end }) => {
    const passage = passages[place - 1]!;
    return {
      ...passage,
      text,
      start: passage.start + start,
      end: passage.start + end,
      page: pageAt(passage, passage.start + start),
    };
  }),
  quotes: closest.map(({ text }, index) => ({ text, passage: index + 1 })),
});
