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
  /** Its other spellings and irregular forms. */
  variants: string[];
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
  const frequencyOf = (form: string): number => statistics.frequencies.get(form) ?? 0;
  return words.map(({ forms, variants = [], start, end, weight = 1, count = 1 }) => {
    // Where the texts use the word as asked, its variants would only blur the ranking.
    const searched = forms.some((form) => frequencyOf(form) > 0) ? forms : [...forms, ...variants];
    const present = new Map<string, number>();
    let most = 0;
    for (const form of searched) {
      const frequency = frequencyOf(form);
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
      variants,
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
