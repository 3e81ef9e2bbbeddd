import { questionTermWeight } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { RankCandidate } from "./rank-candidate.ts";
import { findSynonyms } from "./synonyms.ts";
import type { TermMarks } from "./term-marks.ts";
import { termNumbers, type NumberedTerms } from "./term-numbers.ts";

/** A word of the question that a term matches. */
interface TermMatch {
  /** Index of the word it is a form of; -1 if it isn't in the question. */
  asked: number;
  /** Index of the word it matches. */
  matched: number;
  /** The word it is a form of, with its IDF; empty for other matches. */
  forms: { index: number; idf: number }[];
  /** Whether the next match is another word of which the term is a form. */
  hasNext: boolean;
}

/**
 * Finds the question's words in the chunks of one search: their terms are read once, and everything
 * that ranks by those words reads only the occurrences. To be released when the search is ranked.
 */
export class QuestionOccurrences {
  /** Position of each in its chunk's text or context, chunk by chunk. */
  readonly positions: number[] = [];
  private readonly marksAt: number[] = [];
  private readonly matches: TermMatch[];
  /** By term number: the index of its match plus 1. */
  private readonly marks: TermMarks;

  /** All chunks must be numbered first. */
  constructor(words: readonly WeighedWord[]) {
    const found = findMatches(words);
    this.matches = [];
    this.marks = termNumbers.acquire();
    for (const [number, matches] of found) {
      this.marks.set(number, this.matches.length + 1);
      this.matches.push(...matches);
    }
  }

  /** Adds the occurrences in a chunk. */
  locate(id: string, { context, body, shared, sharedAt }: NumberedTerms): RankCandidate {
    const from = this.positions.length;
    this.add(context, 0, context.length);
    const bodyFrom = this.positions.length;
    let at = 0;
    for (let place = 0; place < shared.length; place++) {
      const mark = this.marks.get(shared[place]!);
      if (mark === 0) continue;
      const position = sharedAt[place]!;
      this.add(body, at, position + 1);
      this.note(position, mark);
      at = position + 1;
    }
    this.add(body, at, body.length);
    return { id, context, body, rank: 0, from, bodyFrom, to: this.positions.length };
  }

  matchAt(occurrence: number): TermMatch {
    return this.matches[this.marksAt[occurrence]! - 1]!;
  }

  isAsked(number: number): boolean {
    const mark = this.marks.get(number);
    return mark > 0 && this.matches[mark - 1]!.asked >= 0;
  }

  release(): void {
    termNumbers.release(this.marks);
  }

  private add(numbers: Int32Array, from: number, to: number): void {
    const { marks } = this;
    for (let at = from; at < to; at++) {
      const mark = marks.get(numbers[at]!);
      if (mark !== 0) this.note(at, mark);
    }
  }

  private note(position: number, mark: number): void {
    for (let place = mark; ; place++) {
      this.positions.push(position);
      this.marksAt.push(place);
      if (!this.matches[place - 1]!.hasNext) return;
    }
  }
}

/**
 * By term number: a word's own forms take precedence over related words, and those over synonyms.
 */
function findMatches(words: readonly WeighedWord[]): Map<number, TermMatch[]> {
  const matches = new Map<number, TermMatch[]>();
  const relate = (number: number, index: number): void => {
    matches.set(number, [{ asked: -1, matched: index, forms: [], hasNext: false }]);
  };
  for (const [index, word] of words.entries())
    for (const term of [...findSynonyms(word.asked), ...word.variants]) {
      const number = termNumbers.find(term);
      if (number !== undefined) relate(number, index);
    }
  for (const [index, word] of words.entries())
    for (const form of word.asked)
      for (const number of termNumbers.relativesOf(form))
        if (!word.asked.includes(termNumbers.nameOf(number))) relate(number, index);
  for (const [index, word] of words.entries())
    for (const [form, idf] of word.forms) {
      const number = termNumbers.of(form);
      const before = matches.get(number)?.filter(({ asked }) => asked >= 0) ?? [];
      for (const match of before) match.hasNext = true;
      const forms = [{ index, idf: idf * questionTermWeight(word.count) }];
      matches.set(number, [...before, { asked: index, matched: index, forms, hasNext: false }]);
    }
  return matches;
}
