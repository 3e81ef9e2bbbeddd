import {
  inverseDocumentFrequency,
  questionTermWeight,
  type TermStatistics,
} from "@carrel/vector-store";
import type { QuestionWord } from "./analyse.ts";
import { fold } from "./fold.ts";
import { genericWords } from "./language.ts";

/** A clause of the question: `question.slice(start, end)`. */
export interface QuestionPart {
  start: number;
  end: number;
}

/** Ends of sentences and clauses; within a number or a name such as `Node.js` it is neither. */
const clauseEnd = /[.!?…;:,،؛؟](?=\s|$)|[。！？；：，、]|\s[–—]\s|[\n\r]+/gu;

/** The clauses of a question, in order; a question without punctuation is a single one. */
export function questionParts(question: string): QuestionPart[] {
  const parts: QuestionPart[] = [];
  let start = 0;
  const add = (end: number): void => {
    if (/[\p{L}\p{N}]/u.test(question.slice(start, end))) parts.push({ start, end });
  };
  for (const { index, 0: mark } of question.matchAll(clauseEnd)) {
    add(index);
    start = index + mark.length;
  }
  add(question.length);
  return parts;
}

/** A word of the question, as search weighed it in the whole workspace. */
export interface SearchedWord {
  forms: string[];
  /** In nats, as in a workspace that isn't small. */
  idf: number;
  /** Whether any document contains it. */
  isFound: boolean;
}

/** Weight of a word that no document contains: it rarely says what the question is about. */
const unknownWeight = 0.3;
/** How much information a word of the question carries, in nats; null if it wasn't searched for. */
export function informationOf(
  forms: readonly string[],
  isExact: boolean,
  searched: readonly SearchedWord[],
): number | null {
  const own = searched.filter((word) => word.forms.some((form) => forms.includes(form)));
  if (own.length === 0) return null;
  const { idf, isFound } = own.find((word) => word.isFound) ?? own[0]!;
  return isFound || isExact ? idf : idf * unknownWeight;
}

/** A long question has more, but that adds no certainty. */
const mostInformation = 20;
/** How much of the question is matched, by how informative each word is. */
export const informationIn = (matches: readonly number[], telling: readonly number[]): number =>
  Math.min(
    mostInformation,
    matches.reduce((sum, match, word) => sum + match * telling[word]!, 0),
  );

/** A word of the question, weighed by the searched chunks. */
export interface WeighedWord {
  /** Forms that occur (or, for a sample, may occur) in some chunk, each with its IDF. */
  forms: Map<string, number>;
  /** All its forms, including those in no chunk. */
  asked: string[];
  /** Its other spellings and irregular forms. */
  variants: string[];
  /**
   * IDF of the word in any of its forms, reduced for generic words: its share of the question's
   * mass.
   */
  idf: number;
  /** Number of occurrences in the question. */
  count: number;
  start: number;
  end: number;
}

/** All forms that a question may search for, to count before it is weighed. */
export const countedForms = (words: readonly QuestionWord[]): string[] =>
  words.flatMap(({ forms, variants = [], parts = [] }) => [
    ...forms,
    ...variants,
    ...countedForms(parts),
  ]);

/**
 * Replaces a whole that no text contains by its parts, and drops optional words that no text
 * contains. `has`: whether a form occurs; with `isSample`, it may occur even if not.
 */
export function resolveParts<Word extends QuestionWord>(
  words: readonly Word[],
  has: (form: string) => boolean,
  isSample = false,
): Word[] {
  return words.flatMap((word) => {
    if (word.forms.some(has)) return [word];
    if (word.isOptional) return [];
    if (word.parts === undefined) return [word];
    const { parts, ...whole } = word;
    const { forms: _forms, ...rest } = whole;
    const asked = parts.map((part) => ({ ...rest, ...part }) as unknown as Word);
    return isSample ? [word, ...asked] : asked;
  });
}

/** In Vietnamese, a word without its marks can be many words. */
const isMarked = (form: string): boolean => form !== fold(form);

/**
 * A word has one IDF, however many forms of it the texts have: in a chunk whose language is
 * unclear, it would otherwise weigh as much as the rare form there. Bigrams and syllables of one
 * run are not separate words: each counts for what it covers.
 */
export function weighQuestion(words: QuestionWord[], statistics: TermStatistics): WeighedWord[] {
  const { documentCount, isSample } = statistics;
  const frequencyOf = (form: string): number => statistics.frequencies.get(form) ?? 0;
  const isPresent = (form: string): boolean => frequencyOf(form) > 0;
  const idfOf = (frequency: number): number =>
    inverseDocumentFrequency(Math.min(Math.max(1, frequency), documentCount), documentCount);
  const sumOf = (forms: string[]): number =>
    forms.reduce((sum, form) => sum + frequencyOf(form), 0);
  return resolveParts(words, isPresent, isSample).map(
    ({ forms, variants = [], start, end, weight = 1, count = 1 }) => {
      // If the texts use the word as asked, its variants would only blur the ranking.
      const searched = forms.some(isPresent) ? forms : [...forms, ...variants];
      const [marked, plain] = [
        searched.filter(isMarked),
        searched.filter((form) => !isMarked(form)),
      ];
      const markedIdf = idfOf(sumOf(marked)),
        plainIdf = idfOf(sumOf(plain));
      const present = new Map<string, number>();
      for (const form of searched)
        if (isPresent(form) || isSample) present.set(form, isMarked(form) ? markedIdf : plainIdf);
      const idf = marked.some(isPresent) ? markedIdf : plainIdf;
      return {
        forms: present,
        asked: forms,
        variants,
        idf: idf * generality(forms) * weight * questionTermWeight(count),
        count,
        start,
        end,
      };
    },
  );
}

/** Weight of a generic word. */
const lightWeight = 0.3;
export const generality = (forms: string[]): number =>
  forms.some((form) => genericWords.has(form)) ? lightWeight : 1;

/** Total IDF of a question: what a passage would need to contain to answer it word for word. */
export const questionMass = (words: WeighedWord[]): number =>
  words.reduce((sum, word) => sum + word.idf, 0);
