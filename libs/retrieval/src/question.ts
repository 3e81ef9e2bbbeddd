import {
  inverseDocumentFrequency,
  questionTermWeight,
  type TermStatistics,
} from "@carrel/vector-store";
import type { QuestionWord } from "./analyse.ts";
import { genericWords } from "./stop-words.ts";

/** A word of the question, weighed by the searched chunks. */
export interface WeighedWord {
  /** Forms that occur (or, for a sample, may occur) in some chunk, with the IDF of each. */
  forms: Map<string, number>;
  /** All its forms, including those in no chunk. */
  asked: string[];
  /**
   * IDF of the word's most frequent form, reduced for generic words: its part in the question's
   * mass.
   */
  idf: number;
  /** How often the question contains it. */
  count: number;
  start: number;
  end: number;
}

/** Bigrams and syllables of one run are not separate words: each counts for what it covers. */
export function weighQuestion(words: QuestionWord[], statistics: TermStatistics): WeighedWord[] {
  return words.map(({ forms, start, end, weight = 1, count = 1 }) => {
    const present = new Map<string, number>();
    let most = 0;
    for (const form of forms) {
      const frequency = statistics.frequencies.get(form) ?? 0;
      if (frequency > 0 || statistics.isSample)
        present.set(
          form,
          inverseDocumentFrequency(Math.max(1, frequency), statistics.documentCount),
        );
      most = Math.max(most, frequency);
    }
    return {
      forms: present,
      asked: forms,
      idf:
        inverseDocumentFrequency(Math.max(1, most), statistics.documentCount) *
        generality(forms) *
        weight *
        questionTermWeight(count),
      count,
      start,
      end,
    };
  });
}

/** Weight of a generic word. */
const lightWeight = 0.3;
export const generality = (forms: string[]): number =>
  forms.some((form) => genericWords.has(form)) ? lightWeight : 1;

/** Total IDF of a question: what a passage would need to contain to answer it word for word. */
export const questionMass = (words: WeighedWord[]): number =>
  words.reduce((sum, word) => sum + word.idf, 0);
