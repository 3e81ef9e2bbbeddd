import { inverseDocumentFrequency } from "@carrel/vector-store";
import { analyse } from "./analyse.ts";
import { answerEvidence, type AnswerKind } from "./answer-kind.ts";
import type { ConversationWord } from "./conversation-words.ts";
import { findSynonyms } from "./question-occurrences.ts";
import {
  generality,
  informationIn,
  informationOf,
  resolveParts,
  type SearchedWord,
} from "./question.ts";
import type { QuotablePassage, QuotableSentence } from "./quotable-sentence.ts";
import { findRelated } from "./word-family.ts";

/** Words up to this far apart in a sentence count as close. */
const nearby = 3;
/** Longer texts, which aren't sentences, aren't searched for pairs. */
const longestForPairs = 2_000;

/**
 * The number of neighbouring question words that also stand close to each other in a sentence;
 * `related`: further forms of each word.
 */
function closePairs(
  { text }: QuotableSentence,
  language: string | null,
  words: readonly ConversationWord[],
  related: readonly Set<string>[],
): number {
  if (text.length > longestForPairs || words.length < 2) return 0;
  const wordOf = new Map<string, number[]>();
  const know = (form: string, word: number): void => {
    const known = wordOf.get(form);
    if (known === undefined) wordOf.set(form, [word]);
    else known.push(word);
  };
  for (const [word, { forms }] of words.entries()) {
    for (const form of forms) know(form, word);
    for (const form of related[word]!) know(form, word);
  }
  // Where each word last occurred, by the number of words before it.
  const last = words.map(() => -Infinity);
  const pairs = new Set<number>();
  let place = 0,
    start = -1;
  for (const found of analyse(text, { language })) {
    if (found.start !== start) {
      start = found.start;
      place++;
    }
    for (const word of wordOf.get(found.term) ?? []) {
      last[word] = place;
      if (word > 0 && place - last[word - 1]! <= nearby) pairs.add(word);
      if (word + 1 < words.length && place - last[word + 1]! <= nearby) pairs.add(word + 1);
    }
  }
  return pairs.size;
}

/**
 * Evidence on whether a sentence answers a question. Shares are parts of the question's words, 0 to
 * 1; words that say little count less.
 */
export interface SentenceFeatures {
  /** Share in the sentence itself, by how rare the words are in the passages. */
  own: number;
  /** Share in the sentence, its neighbours and headings; `aroundLong`: longer words count more. */
  around: number;
  aroundLong: number;
  /** Share in the sentence and, counting less, in its headings, neighbours and passage. */
  context: number;
  /**
   * How much of the question, in nats, the sentence and its context contain, and how much they
   * lack: by how rare the words are in the workspace, at most `mostInformation` each.
   */
  information: number;
  missingInformation: number;
  /** Share in the title and headings. */
  heading: number;
  /** 1 if the sentence has the kind of answer asked for; `lacksAnswer`: 1 if it can't have it. */
  hasAnswer: number;
  lacksAnswer: number;
  /** Share of the question's names and numbers that its passage, title and headings lack. */
  missingNames: number;
  /** Number of neighbouring question words that are also close to each other in the sentence. */
  pairs: number;
  /** Score of its passage relative to the best one; `isFirst`: 1 if it is the best. */
  relativeScore: number;
  isFirst: number;
}

export interface RatedSentence extends QuotableSentence {
  /** Place among the sentences of all passages. */
  index: number;
  /** Share of the question in its headings. */
  announced: number;
  /** Whether it contains the kind of answer asked for (`answerEvidence`). */
  evidence: -1 | 0 | 1;
  features: SentenceFeatures;
  /** Without the question's part number or version, it may be about another one. */
  lacksCode: boolean;
  /**
   * Whether the sentence itself says enough: it contains a word of the question, or its heading
   * contains most of them.
   */
  isQuotable: boolean;
}

/** Weight of a word if only a related word or a synonym occurs. */
const matchWeight = { related: 0.85, synonym: 0.8 };
/** Weight of a word outside the sentence; higher if the sentence refers back ("It was …"). */
const contextWeight = { heading: 0.75, previous: 0.6, next: 0.35, passage: 0.35 };
const backReferenceWeight = { previous: 0.85, passage: 0.6 };
/** Numbers, versions and error codes identify what is asked about better than any word. */
const codeWeight = 2;
/**
 * Words of this many letters or more count fully in `aroundLong`: short ones are often frequent.
 */
const longWord = 7;
/**
 * A sentence without any of the words is quotable if its heading has this share of the question and
 * it contains the kind of answer asked for, or if the question asks for no kind ("Sick leave") and
 * its heading has nearly all of it.
 */
const underHeading = { answering: 0.7, naming: 0.9 };

/** Words for the text itself ("What does the report recommend?"), which it needn't contain. */
const textWords = new Set([
  "study",
  "studi",
  "report",
  "document",
  "articl",
  "article",
  "text",
  "period",
]);
const textWordWeight = 0.15;
const lightness = (forms: string[]): number =>
  forms.some((form) => textWords.has(form)) ? textWordWeight : generality(forms);

export interface AskedQuestion {
  question: string;
  words: ConversationWord[];
  asked: AnswerKind | null;
  /** Empty if nothing was searched: words are then weighed by the sentences alone. */
  searched: readonly SearchedWord[];
}

/** The sentences with their features; `languages`: those of the passages. */
export function rateFeatures(
  { question, words: spoken, asked, searched }: AskedQuestion,
  sentences: readonly QuotableSentence[],
  passages: readonly QuotablePassage[],
  languages: readonly (string | null)[],
): RatedSentence[] {
  const vocabulary = new Set<string>();
  for (const sentence of sentences)
    for (const set of [sentence.terms, sentence.above])
      for (const term of set) vocabulary.add(term);
  const words = resolveParts(spoken, (form) => vocabulary.has(form));
  if (words.length === 0) return [];
  const related = findRelated(words, vocabulary);
  const synonyms = words.map(({ forms }) => findSynonyms(forms, true));
  const matchIn = (terms: Set<string>, word: number): number => {
    if (words[word]!.forms.some((form) => terms.has(form))) return 1;
    if (containsAny(terms, related[word]!)) return matchWeight.related;
    return containsAny(terms, synonyms[word]!) ? matchWeight.synonym : 0;
  };
  const isCode = words.map(({ isExact, forms }) => isExact === true && /\p{N}/u.test(forms[0]!));
  const flat = words.map(
    ({ weight, forms }, word) => weight * lightness(forms) * (isCode[word] ? codeWeight : 1),
  );
  const rare = words.map(({ forms }, word) => flat[word]! * rarity(forms, sentences));
  const telling = words.map(
    ({ forms, isExact }) =>
      informationOf(forms, isExact === true, searched) ?? rarity(forms, sentences),
  );
  const long = words.map(
    ({ forms }, word) =>
      flat[word]! *
      (isCode[word] ? 1 : Math.min(1, Math.max(...forms.map(({ length }) => length)) / longWord)),
  );
  const names = words.map(({ isExact }, word) => (isExact === true ? flat[word]! : 0));
  const hasNames = names.some((weight) => weight > 0);
  const matches = sentences.map(({ terms }) => words.map((_, word) => matchIn(terms, word)));
  const headings = new Map<Set<string>, number[]>();
  for (const { above } of sentences)
    if (!headings.has(above))
      headings.set(
        above,
        words.map((_, word) => matchIn(above, word)),
      );
  const inPassage = passages.map(() => words.map(() => 0));
  for (const [index, { passage }] of sentences.entries())
    for (const [word, match] of matches[index]!.entries())
      inPassage[passage]![word] = Math.max(inPassage[passage]![word]!, match);
  const bestScore = passages.reduce(
    (most, { score, isUnrated }) => (isUnrated ? most : Math.max(most, score)),
    0,
  );
  const asksMore = words.some(({ isEarlier }) => !isEarlier);
  const isCounted = countedWord(words, related, asked);
  return sentences.map((sentence, index) => {
    const { passage, refersBack } = sentence;
    const own = matches[index]!,
      above = headings.get(sentence.above)!,
      anywhere = inPassage[passage]!;
    const near = (step: number, word: number): number =>
      sentences[index + step]?.passage === passage ? matches[index + step]![word]! : 0;
    const back = refersBack ? backReferenceWeight : contextWeight;
    // The previous question names the topic, which no sentence needs to repeat.
    const topic = (word: number): number => (words[word]!.isEarlier ? anywhere[word]! : 0);
    const context = own.map((match, word) =>
      Math.max(
        match,
        topic(word),
        above[word]! * contextWeight.heading,
        near(-1, word) * back.previous,
        near(1, word) * contextWeight.next,
        anywhere[word]! * back.passage,
      ),
    );
    const around = own.map((match, word) =>
      Math.max(match, topic(word), above[word]!, near(-1, word), near(1, word)),
    );
    const language = languages[passage]!;
    const evidence =
      asked === null ? 0 : evidenceOf(sentence, question, asked, language, isCounted);
    const announced = share(
      words.map((_, word) => matchIn(sentence.heading, word)),
      rare,
    );
    const { score, isUnrated } = passages[passage]!;
    const coveredContext = share(context, flat);
    return {
      ...sentence,
      index,
      evidence,
      announced,
      lacksCode: words.some(
        ({ forms }, word) =>
          isCode[word]! && /\p{L}/u.test(forms[0]!) && own[word] === 0 && above[word] === 0,
      ),
      isQuotable:
        (own.some((match) => match > 0) ||
          (asked === null
            ? announced >= underHeading.naming
            : evidence > 0 && announced >= underHeading.answering)) &&
        // A follow-up on the same topic still asks for something new.
        (!asksMore || words.some(({ isEarlier }, word) => !isEarlier && around[word]! > 0)),
      features: {
        own: share(own, rare),
        around: share(around, flat),
        aroundLong: share(around, long),
        context: coveredContext,
        information: informationIn(context, telling),
        missingInformation: informationIn(
          context.map((match) => 1 - match),
          telling,
        ),
        heading: share(above, flat),
        hasAnswer: evidence > 0 ? 1 : 0,
        lacksAnswer: evidence < 0 && sentence.form !== "notice" ? 1 : 0,
        missingNames: hasNames
          ? 1 -
            share(
              anywhere.map((match, word) => Math.max(match, above[word]!)),
              names,
            )
          : 0,
        pairs: closePairs(sentence, language, words, related),
        relativeScore: isUnrated || bestScore === 0 ? 1 : score / bestScore,
        isFirst: isUnrated || score === bestScore ? 1 : 0,
      },
    };
  });
}

function share(matches: readonly number[], weights: readonly number[]): number {
  let sum = 0,
    all = 0;
  for (let word = 0; word < weights.length; word++) {
    sum += matches[word]! * weights[word]!;
    all += weights[word]!;
  }
  return all === 0 ? 0 : sum / all;
}

/** With fewer sentences than this, no word is rare. */
const fewest = 12;
/** IDF over the passages' sentences: words in only some of them distinguish them. */
function rarity(forms: string[], sentences: readonly QuotableSentence[]): number {
  let frequency = 0;
  for (const sentence of sentences) if (forms.some((form) => sentence.terms.has(form))) frequency++;
  // A word in no passage weighs no more than one in a single sentence.
  return inverseDocumentFrequency(Math.max(1, frequency), Math.max(fewest, sentences.length));
}

function containsAny(terms: Set<string>, wanted: Set<string>): boolean {
  for (const term of wanted) if (terms.has(term)) return true;
  return false;
}

/** Whether a word of a sentence in a language is what the question counts ("how many members"). */
function countedWord(
  words: readonly ConversationWord[],
  related: readonly Set<string>[],
  asked: AnswerKind | null,
): (word: string, language: string | null) => boolean {
  const noun = asked?.kind === "count" ? asked.noun : null;
  const counted = noun === null ? -1 : words.findIndex(({ forms }) => forms[0] === noun);
  if (counted < 0) return (word) => word === noun;
  return (word, language) =>
    analyse(word, { language }).some(
      ({ term }) => words[counted]!.forms.includes(term) || related[counted]!.has(term),
    );
}

function evidenceOf(
  sentence: QuotableSentence,
  question: string,
  asked: AnswerKind,
  language: string | null,
  isCounted: (word: string, language: string | null) => boolean,
): -1 | 0 | 1 {
  const evidence = answerEvidence(sentence.text, question, asked, language, (word) =>
    isCounted(word, language),
  );
  // A row states the number of what another column names.
  const isRow = sentence.form === "record" && asked.kind === "count";
  return isRow && evidence < 0 && /\p{N}/u.test(sentence.text) ? 1 : evidence;
}
