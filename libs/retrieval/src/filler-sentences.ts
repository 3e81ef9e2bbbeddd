import type { FillerToken } from "./filler-words.ts";

/** Tokens from `from` to before `to`, without a mark that separates clauses between them. */
export interface Clause {
  from: number;
  to: number;
}
export interface Sentence extends Clause {
  clauses: Clause[];
  isQuestion: boolean;
}

const sentenceEnd = /[!?;。！？；؟…।]|\.(?=\s|$|["'”’)])|\n|[¿¡]/u;
const clauseEnd = /[,:()，、：،؛"“”«»（）]|\s[-–—]\s|—/u;
export const questionMark = /[?？؟;]/u;
const greekQuestion = /\p{sc=Greek}/u;

export function splitSentences(question: string, tokens: FillerToken[]): Sentence[] {
  const sentences: Sentence[] = [];
  let sentence: Sentence | null = null;
  for (const [place, token] of tokens.entries()) {
    const gap = question.slice(place === 0 ? 0 : tokens[place - 1]!.end, token.start);
    if (sentence === null || sentenceEnd.test(gap)) {
      sentence = { from: place, to: place, clauses: [], isQuestion: false };
      sentences.push(sentence);
    }
    if (sentence.clauses.length === 0 || clauseEnd.test(gap) || isThaiSpace(question, gap, token))
      sentence.clauses.push({ from: place, to: place });
    sentence.to = sentence.clauses.at(-1)!.to = place + 1;
  }
  for (const each of sentences) {
    const last = tokens[each.to - 1]!;
    const end = question.slice(last.end, tokens[each.to]?.start);
    each.isQuestion =
      questionMark.test(end) && (!/^;/.test(end) || greekQuestion.test(question[last.start]!));
  }
  return sentences;
}

/** Thai separates sentences and clauses by spaces, not words. */
const isThaiSpace = (question: string, gap: string, token: FillerToken): boolean =>
  gap === " " && /^\p{sc=Thai}/u.test(question.slice(token.start, token.start + 1));
