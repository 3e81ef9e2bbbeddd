import type { Passage, SourceWire } from "@carrel/contracts";

type Paged = Pick<Passage, "text" | "start" | "page" | "pageStarts">;

/** The page of a position in the document's text. */
export const pageAt = ({ page, pageStarts = [] }: Paged, position: number): number | null =>
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
