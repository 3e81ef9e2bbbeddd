import type { Passage } from "@carrel/contracts";
import { quoteSentences } from "@carrel/retrieval";
import { readingsOf } from "../retrieval/follow-up.ts";

/**
 * What it quotes: the passages it quoted from, and the sentences in reading order, each with its
 * passage's 1-based place in `passages`.
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
 * Quotes at most five sentences verbatim; both lists are empty when no sentence reaches the
 * threshold.
 */
export function quotePassages(o: QuoteTask): Quotation {
  const passages = o.passages.map(({ text, title, headingPath, score }) => ({
    text,
    title,
    headingPath,
    score,
  }));
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

/**
 * Only passages that are quoted become sources, numbered in the order in which the answer names
 * them.
 */
export function renumberQuotes(
  passages: readonly Passage[],
  quoted: readonly { text: string; passage: number }[],
): Quotation {
  const numbers = new Map<number, number>();
  const sentences = quoted.map((sentence) => {
    const number = numbers.get(sentence.passage) ?? numbers.size + 1;
    numbers.set(sentence.passage, number);
    return { text: sentence.text, passage: number };
  });
  return { passages: [...numbers.keys()].map((place) => passages[place - 1]!), sentences };
}

/** The answer in pieces, one for each quote, as they go out. */
export function* formatQuotes(sentences: Quotation["sentences"]): Generator<string> {
  for (const [index, sentence] of sentences.entries())
    yield `${index === 0 ? "" : "\n\n"}${sentence.text} [${sentence.passage}]`;
}

/** Chat mode without a quote says what this answerer is, and how to get another. */
export function explainNothingFound(documentCount: number): string {
  const found =
    documentCount === 0
      ? "This workspace has no documents yet, so there is nothing to quote."
      : "I found nothing in the documents of this workspace that answers this.";
  return `${found}\n\nNo language model is set up: the built-in answerer quotes passages from your documents and does not write. To get written answers, choose a model in Settings → Language model.`;
}
