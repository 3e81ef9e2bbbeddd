import type { Out, Passage, searchPassages } from "@carrel/contracts";
import { analyseQuestion } from "@carrel/retrieval";
import { contains, dropContainedPassages } from "./earlier-sources.ts";

/*
 * Whether a question refers back to the previous one. No guess from its form is always right ("Is
 * there a gym?" only looks as if it did), so a possible follow-up is searched and quoted both ways.
 */
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Openings and pronouns that refer back, in the languages of the analyzer's conformance suite. */
const refersBack = new RegExp(
  "^(?:and|or|but|so|then|also|what about|how about|why|why not|und|oder|aber|warum|was ist mit|wieso|et|ou|mais|pourquoi|y|o|pero|por qué|a|и|а|но|почему|ve|peki|neden|ama)(?![\\p{L}\\p{N}])|" +
    "(?<![\\p{L}\\p{N}])(?:it|its|they|them|their|that|those|these|this|he|she|him|her|his|there|er|sie|es|dies(?:e[rs]?)?|ihr|sein|dort|il|elle|ils|elles|ça|cela|lui|eso|esto|ella|ellos|esa|ese)(?![\\p{L}\\p{N}])",
  "iu",
);

/**
 * standalone: complete in itself. short: a few words, which may be a complete question. referring:
 * opens with or contains a reference back, or asks for nothing by itself ("How much?").
 */
export type QuestionKind = "standalone" | "short" | "referring";

/** Words that say what to search for. */
const countDistinctive = (question: string): number =>
  analyseQuestion(question, { languages: [] }).filter(({ isStop }) => isStop !== true).length;

const mostWordsReferring = 12;
const mostWordsShort = 3;

export function classifyQuestion(question: string): QuestionKind {
  let count = 0;
  // Lazily: a question may be a pasted document.
  for (const { isWordLike } of words.segment(question)) {
    if (isWordLike) count += 1;
    if (count > mostWordsReferring) return "standalone";
  }
  if (refersBack.test(question.trim())) return "referring";
  if (count > mostWordsShort) return "standalone";
  return countDistinctive(question) > 0 ? "short" : "referring";
}

/** Names the conversation rather than the documents. */
const namesConversation =
  /\b(?:the above|above answer|so far|you (?:just )?(?:said|wrote|told|explained)|your (?:last |previous )?(?:answer|reply|response)|(?:our|the) (?:chat|conversation|discussion)|das obige|bisher|(?:deine|ihre) (?:letzte )?antwort|ci-dessus|ta réponse|votre réponse|tu respuesta|lo anterior)\b/iu;
const namesDocuments =
  /document|dokument|file|datei|archivo|fichier|text|everything|\ball\b|alles|\btout\b|\btodo\b|workspace/iu;

/** Whether a request for a summary may mean the conversation: "Summarize that", "tl;dr". */
export function meansConversation(request: string): boolean {
  const kind = classifyQuestion(request);
  return (
    namesConversation.test(request) ||
    (kind !== "standalone" && (refersBack.test(request.trim()) || !namesDocuments.test(request)))
  );
}

/** Maximum number of previous questions to include. */
const longestChain = 3;

/**
 * Returns what a question may refer to: the previous question, preceded by earlier ones as long as
 * each refers back in turn ("How high is the tower?", "Who built it?", "And when?"). `earlier` is
 * oldest first. Returns null if there is none.
 */
export function questionsBefore(earlier: readonly string[]): string | null {
  let first = earlier.length - 1;
  while (
    first > 0 &&
    earlier.length - first < longestChain &&
    classifyQuestion(earlier[first]!) === "referring"
  )
    first -= 1;
  return first < 0 ? null : earlier.slice(first).join("\n");
}

/** The question alone: null. Otherwise with the words of the previous question, at a lower weight. */
export type Context = string | null;

/**
 * Returns the contexts in which to search for a question, the likelier one first. What a short
 * question finds alone comes first; a referring one says too little alone ("What does it cost?").
 */
export function contextsOf(question: string, previousQuestion: string | null): Context[] {
  const kind = classifyQuestion(question);
  if (previousQuestion === null || kind === "standalone") return [null];
  return kind === "short" ? [null, previousQuestion] : [previousQuestion, null];
}

/**
 * Whether the question alone may be answered by a quote. One that refers back needs enough
 * distinctive words: "What does it cost?" alone would match any price.
 */
export const isClearAlone = (question: string): boolean =>
  classifyQuestion(question) !== "referring" || countDistinctive(question) >= 2;

/** Passages that a question finds when read alone, or with the previous question as its context. */
export interface Reading {
  context: Context;
  /** Best first. */
  passages: Passage[];
  /** The words that were searched for; none if the passages don't come from a search. */
  searched: Out<typeof searchPassages>["searched"];
}

/**
 * Merges what the readings of a question found, the likelier reading first: its passages keep their
 * places, but the best of the other one is always included, because no guess from a question's form
 * is always right. At most `topN` passages.
 */
export function mergeReadings(readings: readonly Reading[], topN: number): Passage[] {
  const [first, second] = readings.map(({ passages }) => dropContainedPassages(passages));
  if (first === undefined || second === undefined) return first ?? [];
  const added = second.filter(
    (passage) => !first.some((other) => contains(other, passage) || contains(passage, other)),
  );
  const reserved = Math.min(added.length, Math.floor(topN / 4) || Math.min(1, topN - 1));
  return [...first.slice(0, topN - reserved), ...added].slice(0, topN);
}
