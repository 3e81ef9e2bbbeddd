import type { Passage } from "@carrel/contracts";
import { quoteSentences, readSummaryRequest, summarise } from "@carrel/retrieval";
import { readingsOf } from "../retrieval/follow-up.ts";
import { isRated } from "../retrieval/select-sources.ts";
import { pageAt } from "./cited-page.ts";

/**
 * The quoted passages, and the sentences in reading order, each with the 1-based position of its
 * passage in `passages`.
 */
export interface Quotation {
  passages: Passage[];
  sentences: { text: string; passage: number }[];
}

export interface QuoteTask {
  question: string;
  previousQuestion: string | null;
  passages: readonly Passage[];
  threshold: number;
}

/**
 * Quotes at most three sentences verbatim; both lists are empty when no sentence reaches the
 * threshold. A summary that is asked for consists of the most central sentences.
 */
export function quotePassages(o: QuoteTask): Quotation {
  const passages = o.passages.map((passage) => ({
    text: passage.text,
    title: passage.title,
    documentId: passage.documentId,
    headingPath: passage.headingPath,
    score: passage.score,
    isUnrated: !isRated(passage),
  }));
  const topic = readSummaryRequest(o.question);
  if (topic !== null) return renumberQuotes(o.passages, summarise(passages, topic));
  for (const previousQuestion of readingsOf(o.question, o.previousQuestion)) {
    const quoted = quoteSentences({
      question: o.question,
      previousQuestion,
      passages,
      threshold: o.threshold,
    });
    if (quoted.length > 0) return renumberQuotes(o.passages, quoted);
  }
  return { passages: [], sentences: [] };
}

/** Keeps only quoted passages as sources, numbered in the order the answer cites them. */
export function renumberQuotes(
  passages: readonly Passage[],
  quoted: readonly { text: string; passage: number; start?: number }[],
): Quotation {
  const numbers = new Map<number, number>();
  const sentences = quoted.map((sentence) => {
    const number = numbers.get(sentence.passage) ?? numbers.size + 1;
    numbers.set(sentence.passage, number);
    return { text: sentence.text, passage: number };
  });
  return {
    passages: [...numbers.keys()].map((place) => {
      const passage = passages[place - 1]!;
      const start = quoted.find((sentence) => sentence.passage === place)?.start ?? 0;
      return { ...passage, page: pageAt(passage, passage.start + start) };
    }),
    sentences,
  };
}

/** Yields the answer in pieces, one per quote, as they are sent. */
export function* formatQuotes(sentences: Quotation["sentences"]): Generator<string> {
  for (const [index, sentence] of sentences.entries())
    yield `${index === 0 ? "" : "\n\n"}${sentence.text} [${sentence.passage}]`;
}

/**
 * The answer in chat mode if nothing matches: explains what this answerer does and how to set up a
 * model. `isFallback`: there are models, but none can answer at the moment.
 */
export function explainNothingFound(documentCount: number, isFallback = false): string {
  const found =
    documentCount === 0
      ? "This workspace has no documents yet, so there is nothing to quote."
      : "I found nothing in the documents of this workspace that answers this.";
  if (isFallback)
    return `${found}\n\nNo language model can answer right now: the built-in answerer quotes passages from your documents and does not write.`;
  return `${found}\n\nNo language model is set up: the built-in answerer quotes passages from your documents and does not write. To get written answers, choose a model in Settings > Language model.`;
}
