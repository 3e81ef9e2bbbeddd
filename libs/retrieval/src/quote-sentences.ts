import { inverseDocumentFrequency } from "@carrel/vector-store";
import { analyse, analyseQuestion, type QuestionWord } from "./analyse.ts";
import { answerEvidence, answerKind, type AnswerKind } from "./answer-kind.ts";
import { detectLanguage } from "./language.ts";
import { quotableUnits } from "./quotable-units.ts";
import { generality } from "./question.ts";
import { findSynonyms } from "./synonyms.ts";
import { calibrated } from "./text-score.ts";
import { findRelated } from "./word-family.ts";

export interface ExtractiveInput {
  question: string;
  /**
   * The previous question in the thread: its words count when this question's own say too little
   * ("And when?").
   */
  previousQuestion: string | null;
  /** Passages in rank order, with the `score` search gave them, 0 to 1. */
  passages: { text: string; title: string; headingPath: string[]; score: number }[];
  /** Minimum score for a quoted sentence, 0 to 1. */
  threshold: number;
}

export interface QuotedSentence {
  /** Verbatim, without surrounding markup. */
  text: string;
  /** Number of its passage, from 1. */
  passage: number;
  /** Position in the passage's text, end exclusive: `text.slice(start, end)`. */
  start: number;
  end: number;
  score: number;
}

const maxSentences = 5;
const enoughForLanguage = 300;
/**
 * Sentences below this share of the best one are not quoted, because they only share a word. The
 * second limit applies to their own content.
 */
const belowBest = 0.6,
  ownBelowBest = 0.5;
/** Weight of a word from the previous question. */
const previousWeight = 0.5;
/**
 * How much a question word counts if the sentence has only a related word or a synonym, or if it
 * occurs in the context above, the previous or next sentence, or elsewhere in the passage.
 */
const partOf = {
  related: 0.85,
  synonym: 0.8,
  above: 0.75,
  before: 0.6,
  behind: 0.35,
  passage: 0.35,
};
/** Used instead where the sentence refers back ("It was founded in 1952"). */
const pointingBack = { before: 0.85, passage: 0.6 };
const pointsBack =
  /(?:^|[^\p{L}])(?:it|its|they|their|them|he|his|him|she|her|this|these|those|such|er|sie|ihr\p{L}{0,2}|sein\p{L}{0,2}|dies\p{L}{0,2}|elle|elles|ils?|ses|leurs?|cette|ella|ellos|este|esta|estos|suo|sua|esso|essa|essi|ele|eles|seu|seus|hij|zij|zijn|deze|dit|он|она|они|его|ее|их|это)(?=[^\p{L}]|$)/iu;
/**
 * Share of the missing part made up by evidence of the kind of answer asked for, e.g. a number or a
 * name.
 */
const answerBonus = 0.2;
/**
 * Factors on the score: no evidence of the answer; only the name in question; without that name or
 * number.
 */
const penalty = { noAnswer: 0.55, nameOnly: 0.75, noName: 0.75 };

/** Numbers distinguish similar items ("E11", "E20"), so nearby ones count only this much. */
const numberedPart = 0.5;
/**
 * Factor for a sentence whose matches are all in its title and neighbours; it rises to 1 once the
 * sentence itself contains 40 % of the question.
 */
const littleSaid = { factor: 0.6 };
/**
 * A sentence without any of the words is quoted if its heading has this share of the mass and it
 * contains the kind of answer asked for.
 */
const underHeading = 0.7;

interface Sentence {
  isPointingBack: boolean;
  passage: number;
  start: number;
  end: number;
  text: string;
  terms: Set<string>;
  /** Terms of title and headings; `heading` has those of the headings only. */
  above: Set<string>;
  heading: Set<string>;
  own: number;
  score: number;
}
/** `isEarlier`: from the previous question. */
type AskedWord = QuestionWord & { weight: number; isEarlier: boolean };

/**
 * The extractive answer: at most 5 verbatim sentences in reading order (passages in the given
 * order), all at or above the threshold. Empty if the passages don't answer the question.
 */
export function quoteSentences({
  question,
  previousQuestion,
  passages,
  threshold,
}: ExtractiveInput): QuotedSentence[] {
  // A table or a few words don't reveal a language, so all passages and the question are used.
  const common = detectLanguage(
    [...passages.map(({ text }) => text.slice(0, enoughForLanguage)), question].join("\n"),
  );
  const languages = passages.map(({ text }) =>
    text.length < enoughForLanguage ? common : detectLanguage(text),
  );
  const sentences = passages.flatMap((passage, index) =>
    sentencesOf(passage, index, languages[index]!),
  );
  const words = askedWords(question, previousQuestion, [
    ...new Set(languages.filter((language) => language !== null)),
  ]);
  if (!words.length || !sentences.length) return [];
  const vocabulary = new Set<string>();
  for (const sentence of sentences)
    for (const set of [sentence.terms, sentence.above])
      for (const term of set) vocabulary.add(term);
  const related = findRelated(words, vocabulary);
  const weights = words.map(
    (word) => word.weight * generality(word.forms) * rarity(word.forms, sentences),
  );
  const mass = weights.reduce((sum, weight) => sum + weight, 0);
  const ownMass = weights.reduce(
    (sum, weight, word) => (words[word]!.isEarlier ? sum : sum + weight),
    0,
  );
  const asked = answerKind(question);
  const synonyms = words.map(({ forms }) => findSynonyms(forms));
  const partIn = (terms: Set<string>, word: number): number => {
    if (words[word]!.forms.some((form) => terms.has(form))) return 1;
    if (holdsAny(terms, related[word]!)) return partOf.related;
    return holdsAny(terms, synonyms[word]!) ? partOf.synonym : 0;
  };
  const parts = sentences.map((sentence) => words.map((_, word) => partIn(sentence.terms, word)));
  const parted = sentences.map((sentence) => words.map((_, word) => partIn(sentence.above, word)));
  const inPassage = passages.map((_, passage) =>
    words.map((__, word) =>
      sentences.reduce(
        (most, sentence, index) =>
          sentence.passage === passage ? Math.max(most, parts[index]![word]!) : most,
        0,
      ),
    ),
  );
  const isNumbered = words.map((word) => word.isExact === true && /\p{N}/u.test(word.forms[0]!));
  const isAsked = (word: number): boolean =>
    !words[word]!.isExact && generality(words[word]!.forms) === 1 && words[word]!.weight >= 1;
  for (const [index, sentence] of sentences.entries()) {
    const near = (step: number, word: number): number =>
      sentences[index + step]?.passage === sentence.passage ? parts[index + step]![word]! : 0;
    let total = 0,
      held = 0,
      heldNow = 0,
      said = 0,
      below = 0,
      factor = 1;
    let holdsMatter = false,
      hasMatter = false;
    for (const [word, { isExact, isEarlier }] of words.entries()) {
      const own = parts[index]![word]!;
      const around = Math.max(
        near(-1, word) * (sentence.isPointingBack ? pointingBack : partOf).before,
        near(1, word) * partOf.behind,
        inPassage[sentence.passage]![word]! *
          (sentence.isPointingBack ? pointingBack : partOf).passage,
      );
      const part = Math.max(
        own,
        parted[index]![word]! * partOf.above,
        isNumbered[word] ? around * numberedPart : around,
      );
      held += own * weights[word]!;
      if (!isEarlier || ownMass === 0) heldNow += own * weights[word]!;
      if (!isEarlier)
        said +=
          Math.max(own, sentence.isPointingBack ? near(-1, word) * pointingBack.before : 0) *
          weights[word]!;
      below += partIn(sentence.heading, word) * weights[word]!;
      total += part * weights[word]!;
      if (isExact && part === 0) factor = penalty.noName;
      if (isAsked(word)) {
        hasMatter = true;
        if (part > partOf.passage) holdsMatter = true;
      }
    }
    let share = total / mass;
    const evidence = asked
      ? evidenceOf(sentence, asked, {
          question,
          language: languages[sentence.passage]!,
          words,
          related,
        })
      : 0;
    if (hasMatter && !holdsMatter) share *= penalty.nameOnly;
    else if (evidence > 0) share += answerBonus * (1 - share);
    if (evidence < 0) share *= penalty.noAnswer;
    // A sentence without any of the words can only be what its heading announces.
    const isAnnounced = evidence > 0 && below >= underHeading * mass;
    if (!isAnnounced) factor *= Math.min(1, littleSaid.factor + said / (ownMass || mass));
    sentence.score = calibrated(share * factor);
    const speaks = held > 0 || isAnnounced;
    sentence.own = speaks
      ? (held / mass + heldNow / (ownMass || mass)) / 2 + (evidence > 0 ? answerBonus : 0)
      : 0;
  }
  return choose(sentences, passages, threshold).map(({ text, passage, start, end, score }) => ({
    text,
    passage: passage + 1,
    start,
    end,
    score,
  }));
}

function holdsAny(terms: Set<string>, wanted: Set<string>): boolean {
  for (const term of wanted) if (terms.has(term)) return true;
  return false;
}

function evidenceOf(
  sentence: Sentence,
  asked: AnswerKind,
  {
    question,
    language,
    words,
    related,
  }: { question: string; language: string | null; words: AskedWord[]; related: Set<string>[] },
): -1 | 0 | 1 {
  const noun = asked.kind === "count" && asked.noun !== null ? asked.noun : null;
  const counted = noun === null ? -1 : words.findIndex((word) => word.forms[0] === noun);
  const isCounted = (word: string): boolean => {
    if (counted < 0) return word === noun;
    return analyse(word, { language }).some(
      ({ term }) => words[counted]!.forms.includes(term) || related[counted]!.has(term),
    );
  };
  return answerEvidence(sentence.text, question, asked, language, isCounted);
}

function askedWords(
  question: string,
  previousQuestion: string | null,
  languages: string[],
): AskedWord[] {
  const own = analyseQuestion(question, { languages }).map((word) => ({
    ...word,
    weight: word.weight ?? 1,
    isEarlier: false,
  }));
  if (!previousQuestion) return own;
  // "And who does it?" asks about the same topic, so everything to search for is in the previous
  // question.
  if (own.every((word) => word.isStop))
    return analyseQuestion(previousQuestion, { languages }).map((word) => ({
      ...word,
      weight: word.weight ?? 1,
      isEarlier: true,
    }));
  const known = new Set(own.flatMap((word) => word.forms));
  // "And E20?" after a question about E11 is no longer about E11.
  const isNewName = own.some((word) => word.isExact);
  const before = analyseQuestion(previousQuestion, { languages }).filter(
    (word) => !word.forms.some((form) => known.has(form)) && !(isNewName && word.isExact),
  );
  // A complete question depends less on the previous one.
  return [
    ...own,
    ...before.map((word) => ({
      ...word,
      isExact: false,
      isEarlier: true,
      weight: (word.weight ?? 1) * (own.length >= 4 ? previousWeight / 2 : previousWeight),
    })),
  ];
}

/** IDF over the passages' sentences: words in only some of them distinguish them. */
function rarity(forms: string[], sentences: Sentence[]): number {
  let frequency = 0;
  for (const sentence of sentences) if (forms.some((form) => sentence.terms.has(form))) frequency++;
  // A word in no passage weighs no more than one in a single sentence.
  return inverseDocumentFrequency(Math.max(1, frequency), Math.max(12, sentences.length));
}

/** The best sentence, then the next best that come close to it and add something new. */
function choose(
  sentences: Sentence[],
  passages: ExtractiveInput["passages"],
  threshold: number,
): Sentence[] {
  const good = sentences.filter(
    (sentence) => sentence.own > 0 && sentence.score > 0 && sentence.score >= threshold,
  );
  const best = good.reduce<Sentence | null>(
    (most, sentence) =>
      most === null ||
      sentence.score * (0.5 + 0.5 * sentence.own) > most.score * (0.5 + 0.5 * most.own)
        ? sentence
        : most,
    null,
  );
  if (best === null) return [];
  const chosen: Sentence[] = [];
  const worth = (sentence: Sentence): number => {
    const likeness = chosen.reduce(
      (most, other) => Math.max(most, overlap(sentence.terms, other.terms)),
      0,
    );
    return (
      sentence.score *
      (0.5 + 0.5 * sentence.own) *
      (0.9 + 0.1 * passages[sentence.passage]!.score) *
      (1 - 0.5 * likeness)
    );
  };
  const left = new Set(
    good.filter(
      (sentence) =>
        sentence.score >= belowBest * best.score && sentence.own >= ownBelowBest * best.own,
    ),
  );
  while (chosen.length < maxSentences && left.size) {
    const next = [...left].reduce((most, sentence) =>
      worth(sentence) > worth(most) ? sentence : most,
    );
    left.delete(next);
    if (!chosen.some((other) => overlap(next.terms, other.terms) > 0.8)) chosen.push(next);
  }
  return chosen.sort((a, b) => a.passage - b.passage || a.start - b.start);
}

function overlap(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common++;
  return common / Math.max(1, Math.min(a.size, b.size));
}

function sentencesOf(
  { text, title, headingPath }: ExtractiveInput["passages"][number],
  passage: number,
  language: string | null,
): Sentence[] {
  const named = title.replace(/\.[a-z0-9]{1,5}$/i, "");
  const contexts = new Map<string, { above: Set<string>; heading: Set<string> }>();
  return quotableUnits(text).flatMap(({ start, end, above }) => {
    const quoted = text.slice(start, end);
    const terms = termSet(quoted, language);
    if (!terms.size) return [];
    let context = contexts.get(above);
    if (!context) {
      const headings = [...headingPath, above].join("\n");
      contexts.set(
        above,
        (context = {
          above: termSet(`${named}\n${headings}`, language),
          heading: termSet(headings, language),
        }),
      );
    }
    return [
      {
        passage,
        start,
        end,
        text: quoted,
        terms,
        ...context,
        isPointingBack: pointsBack.test(quoted),
        own: 0,
        score: 0,
      },
    ];
  });
}

/** Also unstemmed, for questions in another language than the passage. */
const termSet = (text: string, language: string | null): Set<string> =>
  new Set(
    [...analyse(text, { language }), ...analyse(text, { language: null })].map(({ term }) => term),
  );
