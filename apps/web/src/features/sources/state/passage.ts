/** The passage to mark in a document; empty text means none. */
export interface Passage {
  text: string;
  /** Quotes in it, as offsets in its own text; without any, all of it counts as quoted. */
  quotes: Range[];
  /** Its position in the document, from 0 to 1. */
  position: number;
}

/** A range of characters, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** A text split at a passage; its pieces are quoted or not. */
interface SplitText {
  before: string;
  passage: { text: string; quoted: boolean }[];
  after: string;
}

/**
 * Splits a text, which begins at character `offset` of its document, at a passage and at the quotes
 * in it (ordered, not overlapping). Without quotes the whole passage counts as one.
 */
export function splitAtPassage(
  text: string,
  offset: number,
  passage: Range,
  quotes: readonly Range[],
): SplitText {
  const within = (place: number): number => Math.min(text.length, Math.max(0, place - offset));
  const [from, to] = [within(passage.start), within(Math.max(passage.start, passage.end))];
  const pieces: SplitText["passage"] = [];
  let at = from;
  const add = (end: number, quoted: boolean): void => {
    if (end > at) pieces.push({ text: text.slice(at, end), quoted });
    at = Math.max(at, end);
  };
  for (const quote of quotes.length > 0 ? quotes : [passage]) {
    add(Math.min(to, within(quote.start)), false);
    add(Math.min(to, within(quote.end)), true);
  }
  add(to, false);
  return { before: text.slice(0, from), passage: pieces, after: text.slice(to) };
}
