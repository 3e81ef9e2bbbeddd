import { analyseQuestion } from "@carrel/retrieval";

/*
 * Whether a question leans on the one before it. No guess from its form is right each time ("Is
 * there a gym?" points
 * back by its letters only), so a question that may lean is searched for both ways.
 */
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Openings and pronouns that point back, in the languages of the analyser's conformance suite. */
const refersBack = new RegExp(
  "^(?:and|or|but|so|then|also|what about|how about|why|why not|und|oder|aber|warum|was ist mit|wieso|et|ou|mais|pourquoi|y|o|pero|por qué|a|и|а|но|почему|ve|peki|neden|ama)\\b|" +
    "\\b(?:it|its|they|them|their|that|those|these|this|he|she|him|her|his|there|er|sie|es|dies(?:e[rs]?)?|ihr|sein|dort|il|elle|ils|elles|ça|cela|lui|eso|esto|ella|ellos|esa|ese)\\b",
  "iu",
);

/**
 * alone: says all itself. short: a few words, which may be a question of their own. pointing: opens
 * or refers back.
 */
export type QuestionKind = "standalone" | "short" | "referring";

export function classifyQuestion(question: string): QuestionKind {
  const segments = [...words.segment(question)].filter((segment) => segment.isWordLike);
  if (segments.length <= 12 && refersBack.test(question.trim())) return "referring";
  return segments.length <= 3 ? "short" : "standalone";
}

/** Questions that are taken along at the most. */
const longestChain = 3;

/**
 * What a question may lean on: the question before it, with those before that as far as each leans
 * in its turn ("How high is
 * the tower?", "Who built it?", "And when?"). `earlier`: oldest first. null: there is none.
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

/** The contract's limit. */
const longestQuery = 20_000;

/**
 * The text to search with when the previous question is taken along; of one that is too long, the
 * end next to this question.
 */
export function joinQuestions(question: string, previousQuestion: string | null): string {
  const room = longestQuery - question.length - 1;
  return previousQuestion === null || room <= 0
    ? question.slice(0, longestQuery)
    : `${previousQuestion.slice(-room)}\n${question}`;
}

/**
 * With which previous question, or none, to look for an answer, the likelier reading first. A
 * pointing question is read
 * alone only where it has words enough of its own: "What does it cost?" alone would take any price
 * for the answer.
 */
export function readingsOf(question: string, previousQuestion: string | null): (string | null)[] {
  const kind = classifyQuestion(question);
  if (previousQuestion === null || kind === "standalone") return [null];
  if (kind === "short") return [null, previousQuestion];
  return analyseQuestion(question, { languages: [] }).filter((word) => word.isStop !== true)
    .length >= 2
    ? [previousQuestion, null]
    : [previousQuestion];
}
