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
   * The question before in the same thread: its words count where this one's alone say too little
   * ("And when?").
   */
  previousQuestion: string | null;
  /** Passages in the order of their rank; `score` as search gave it, 0 to 1. */
  passages: { text: string; title: string; headingPath: string[]; score: number }[];
  /** No sentence below it is quoted, 0 to 1. */
  threshold: number;
}

export interface QuotedSentence {
  /** Verbatim, without the markup around it. */
  text: string;
  /** Number of its passage, from 1. */
  passage: number;
  /** Place in the passage's text, end exclusive: `text.slice(start, end)`. */
  start: number;
  end: number;
  score: number;
}

const maxSentences = 5;
const enoughForLanguage = 300;
/**
 * Sentences further below the best one are not quoted: they only share a word. The second holds for
 * what they hold themselves.
 */
const belowBest = 0.6,
  ownBelowBest = 0.5;
/** A word of the previous question counts this much. */
const previousWeight = 0.5;
/**
 * What a word counts that is not in the sentence: as a word of its family, another for the same, in
 * what stands above it, in the sentence before, behind, anywhere in the passage.
 */
const partOf = {
  related: 0.85,
  synonym: 0.8,
  above: 0.75,
  before: 0.6,
  behind: 0.35,
  passage: 0.35,
};
/** The same where the sentence points back ("It was founded in 1952"). */
const pointingBack = { before: 0.85, passage: 0.6 };
const pointsBack =
  /(?:^|[^\p{L}])(?:it|its|they|their|them|he|his|him|she|her|this|these|those|such|er|sie|ihr\p{L}{0,2}|sein\p{L}{0,2}|dies\p{L}{0,2}|elle|elles|ils?|ses|leurs?|cette|ella|ellos|este|esta|estos|suo|sua|esso|essa|essi|ele|eles|seu|seus|hij|zij|zijn|deze|dit|он|она|они|его|ее|их|это)(?=[^\p{L}]|$)/iu;
/** Of the missing part, what a number or a name makes good where the question asks for one. */
const answerBonus = 0.2;
/**
 * What is left of the share: without what the question asks for; with no more than the name in
 * question; without that name or number.
 */
const penalty = { noAnswer: 0.55, nameOnly: 0.75, noName: 0.75 };

/**
 * Numbers tell neighbours apart ("E11", "E20"): they count this much of it where they stand beside.
 */
const numberedPart = 0.5;
/**
 * A sentence that says little of the question itself, with title and neighbours holding the rest,
 * loses by what is missing to the other 0.4.
 */
const littleSaid = { factor: 0.6 };
/**
 * A sentence that holds none of the words is quoted where its heading holds so much and it is of
 * the kind asked for.
 */
const underHeading = 0.7;

interface Sentence {
  isPointingBack: boolean;
  passage: number;
  start: number;
  end: number;
  text: string;
  terms: Set<string>;
  /** Title and headings; and the headings alone. */ above: Set<string>;
  heading: Set<string>;
  own: number;
  score: number;
}
/** `isEarlier`: of the question before. */
type AskedWord = QuestionWord & { weight: number; isEarlier: boolean };

/**
 * The extractive answer: at most 5 sentences, verbatim, in reading order (passages in the order
 * given), none below the
 * threshold; empty when the passages do not answer the question.
 */
export function quoteSentences({
  question,
  previousQuestion,
  passages,
  threshold,
}: ExtractiveInput): QuotedSentence[] {
  // A table or a few words tell no language: all passages and the question are asked then.
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
    // Without a word of its own it can only be what its heading announces.
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
  // "And who does it?" asks for something else of the same matter: all that can be looked for
  // stands in the question before.
  if (own.every((word) => word.isStop))
    return analyseQuestion(previousQuestion, { languages }).map((word) => ({
      ...word,
      weight: word.weight ?? 1,
      isEarlier: true,
    }));
  const known = new Set(own.flatMap((word) => word.forms));
  // "And E20?" after a question on E11 is no longer about E11.
  const isNewName = own.some((word) => word.isExact);
  const before = analyseQuestion(previousQuestion, { languages }).filter(
    (word) => !word.forms.some((form) => known.has(form)) && !(isNewName && word.isExact),
  );
  // A whole question of its own needs the one before less.
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

/** IDF over the sentences of the passages: what only some of them hold tells them apart. */
function rarity(forms: string[], sentences: Sentence[]): number {
  let frequency = 0;
  for (const sentence of sentences) if (forms.some((form) => sentence.terms.has(form))) frequency++;
  // A word no passage holds weighs no more than one that a single sentence holds.
  return inverseDocumentFrequency(Math.max(1, frequency), Math.max(12, sentences.length));
}

/** The best first, then the next best that come near to it and say something else. */
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

/** Also as they stand, for questions whose language the passage does not share. */
const termSet = (text: string, language: string | null): Set<string> =>
  new Set(
    [...analyse(text, { language }), ...analyse(text, { language: null })].map(({ term }) => term),
  );
