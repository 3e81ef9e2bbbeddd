import { inverseDocumentFrequency, type TermStatistics } from "@carrel/vector-store";
import type { QuestionWord } from "./analyse.ts";
import { lightWords } from "./stop-words.ts";

/** A word of the question with what the searched chunks say about it. */
export interface WeighedWord {
  /** Forms that stand in some chunk (of a sample: that may), and the IDF of each. */
  forms: Map<string, number>;
  /** All its forms, also those that stand in no chunk. */
  asked: string[];
  /**
   * IDF of the word (of its most frequent form), less for words that say little: its part in the
   * question's mass.
   */
  idf: number;
  start: number;
  end: number;
}

/** Pairs and syllables of one run are no words of their own: each counts for what it covers. */
export function weighQuestion(words: QuestionWord[], statistics: TermStatistics): WeighedWord[] {
  return words.map(({ forms, start, end, weight = 1 }) => {
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
        weight,
      start,
      end,
    };
  });
}

/** A light word counts this much. */
const lightWeight = 0.3;
export const generality = (forms: string[]): number =>
  forms.some((form) => lightWords.has(form)) ? lightWeight : 1;

/** All of a question's IDF: what a passage would have to hold to answer it word for word. */
export const questionMass = (words: WeighedWord[]): number =>
  words.reduce((sum, word) => sum + word.idf, 0);
