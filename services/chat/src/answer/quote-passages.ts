import { isRated, type Passage, type SourceWire } from "@carrel/contracts";
import {
  closestPassages,
  quoteSentences,
  readSummaryRequest,
  summarise,
  type QuotedSentence,
} from "@carrel/retrieval";
import { isClearAlone, type Reading } from "../retrieval/follow-up.ts";

type Paged = Pick<Passage, "text" | "start" | "page" | "pageStarts">;

/** The page of a position in the document's text. */
const pageAt = ({ page, pageStarts = [] }: Paged, position: number): number | null =>
  pageStarts.findLast(({ start }) => start <= position)?.page ?? pageStarts[0]?.page ?? page;

/**
 * Names the page that supports what an answer cites: of a passage that spans several pages, the one
 * that shares most words with the sentences before its citation marks.
 */
export function citePages(
  sources: readonly SourceWire[],
  passages: readonly (Paged & Pick<Passage, "chunkId">)[],
  answer: string,
): SourceWire[] {
  const byId = new Map(passages.map((passage) => [passage.chunkId, passage]));
  const sentences = answer.split(/\n+|(?<=[.!?][)\]"”]?)\s+(?!\[\d)/u);
  return sources.map((source, index) => {
    const passage = byId.get(source.id);
    if (passage?.pageStarts === undefined) return source;
    const cited = sentences.filter((sentence) => citedIn(sentence).has(index + 1));
    const words = wordsOf(cited.join(" "));
    return words.size === 0 ? source : { ...source, page: bestPage(passage, words) };
  });
}

function bestPage(passage: Paged, words: ReadonlySet<string>): number | null {
  const starts = passage.pageStarts ?? [];
  let best: { page: number | null; shared: number } = { page: passage.page, shared: 0 };
  for (const [index, { page, start }] of starts.entries()) {
    const text = passage.text.slice(
      Math.max(0, start - passage.start),
      (starts[index + 1]?.start ?? Infinity) - passage.start,
    );
    const shared = [...wordsOf(text)].filter((word) => words.has(word)).length;
    if (shared > best.shared) best = { page, shared };
  }
  return best.page;
}

const citedIn = (sentence: string): Set<number> =>
  new Set(
    [...sentence.matchAll(/\[(\d{1,3}(?:, ?\d{1,3})*)\]/g)].flatMap(([, numbers = ""]) =>
      numbers.split(",").map(Number),
    ),
  );

/** Numbers, and words of at least four letters. */
const wordsOf = (text: string): Set<string> =>
  new Set(text.toLowerCase().match(/\p{L}{4,}|\p{N}+/gu));

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
