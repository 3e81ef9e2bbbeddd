import { questionTermWeight } from "@carrel/vector-store";
import type { WeighedWord } from "./question.ts";
import type { RankCandidate } from "./rank-candidate.ts";
import { findSynonyms } from "./synonyms.ts";
import type { TermMarks } from "./term-marks.ts";
import { termNumbers, type NumberedTerms } from "./term-numbers.ts";

/** Which words of the question a term matches. */
interface TermMatch {
  /** Index of the word it is a form of; -1 if it isn't asked for. */
  asked: number;
  /** Index of the word it matches. */
  matched: number;
  /** A form may belong to two words. */
  forms: { index: number; idf: number }[];
}

/**
 * Finds the question's words in the chunks of one search: their terms are read once, and everything
 * that ranks by those words reads only the occurrences. To be released when the search is ranked.
 */
export class QuestionOccurrences {
  /** Where each is in its chunk's text or context, chunk by chunk. */
  readonly positions: number[] = [];
  private readonly marksAt: number[] = [];
  private readonly matches: TermMatch[];
  /** By the number of a term: the place of its match plus 1. */
  private readonly marks: TermMarks;

  /** All chunks must have been numbered before. */
  constructor(words: readonly WeighedWord[]) {
    const found = findMatches(words);
    this.matches = [...found.values()];
    this.marks = termNumbers.acquire();
    for (const [place, number] of [...found.keys()].entries()) this.marks.set(number, place + 1);
  }

  /** Adds the occurrences in a chunk. */
  locate(id: string, { context, body }: NumberedTerms): RankCandidate {
    const from = this.positions.length;
    this.add(context);
    const bodyFrom = this.positions.length;
    this.add(body);
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

  private add(numbers: Int32Array): void {
    const { marks } = this;
    for (let at = 0; at < numbers.length; at++) {
      const mark = marks.get(numbers[at]!);
      if (mark === 0) continue;
      this.positions.push(at);
      this.marksAt.push(mark);
    }
  }
}

/**
 * By the number of each term: the word's own forms take precedence over related words, those over
 * synonyms.
 */
function findMatches(words: readonly WeighedWord[]): Map<number, TermMatch> {
  const matches = new Map<number, TermMatch>();
  const matchOf = (number: number): TermMatch => {
    let match = matches.get(number);
    if (match === undefined) matches.set(number, (match = { asked: -1, matched: -1, forms: [] }));
    return match;
  };
  for (const [index, word] of words.entries())
    for (const term of [...findSynonyms(word.asked), ...word.variants]) {
      const number = termNumbers.find(term);
      if (number !== undefined) matchOf(number).matched = index;
    }
  for (const [index, word] of words.entries())
    for (const form of word.asked)
      for (const number of termNumbers.relativesOf(form))
        if (!word.asked.includes(termNumbers.nameOf(number))) matchOf(number).matched = index;
  for (const [index, word] of words.entries())
    for (const [form, idf] of word.forms) {
      const match = matchOf(termNumbers.of(form));
      match.asked = match.matched = index;
      match.forms.push({ index, idf: idf * questionTermWeight(word.count) });
    }
  return matches;
}
