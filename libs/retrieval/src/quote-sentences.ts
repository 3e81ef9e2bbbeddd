import { inverseDocumentFrequency } from "@carrel/vector-store";
import { analyse } from "./analyse.ts";
import { answerEvidence, answerKind, type AnswerKind } from "./answer-kind.ts";
import { conversationWords, type ConversationWord } from "./conversation-words.ts";
import { fold } from "./fold.ts";
import { detectLanguage } from "./language.ts";
import {
  quotableSentences,
  type QuotablePassage,
  type QuotableSentence,
} from "./quotable-sentence.ts";
import { generality, resolveParts } from "./question.ts";
import { selectSentences } from "./select-sentences.ts";
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
  passages: QuotablePassage[];
  /** Minimum score for a quoted sentence, 0 to 1. */
  threshold: number;
}

export interface QuotedSentence {
  /** Verbatim, without surrounding markup and with its lines joined. */
  text: string;
  /** Number of its passage, from 1. */
  passage: number;
  /** Position in the passage's text, end exclusive. */
  start: number;
  end: number;
  score: number;
}

const enoughForLanguage = 300;
/**
 * How much a question word counts if the sentence has only a related word or a synonym, or if it
 * occurs in the context above, the previous or next sentence, or elsewhere in the passage.
 */
const matchWeight = {
  related: 0.85,
  synonym: 0.8,
  heading: 0.75,
  previous: 0.6,
  next: 0.35,
  passage: 0.35,
};
/** Used instead where the sentence refers back ("It was founded in 1952"). */
const backReferenceWeight = { previous: 0.85, passage: 0.6 };
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
const contextOnlyFactor = 0.6;
/**
 * A sentence without any of the words is quoted if its heading has this share of the mass and it
 * contains the kind of answer asked for, or if the question asks for no kind ("Sick leave") and its
 * heading has nearly all of it.
 */
const underHeading = { answering: 0.7, naming: 0.9 };

/**
 * The extractive answer: at most 3 verbatim sentences in reading order (passages in the given
 * order), all at or above the threshold. Empty if the passages don't answer the question.
 */
export function quoteSentences({
  question,
  previousQuestion,
  passages,
  threshold,
}: ExtractiveInput): QuotedSentence[] {
  const { sentences } = rateSentences({ question, previousQuestion, passages });
  return selectSentences(sentences, passages, threshold).map(
    ({ text, passage, start, end, score, coverage }) => ({
      text,
      passage: passage + 1,
      start,
      end,
      score: Math.max(score, Math.min(coverage, threshold)),
    }),
  );
}

/** All sentences of the passages, rated for how likely they answer the question. */
export function rateSentences({
  question,
  previousQuestion,
  passages,
}: Omit<ExtractiveInput, "threshold">): { sentences: QuotableSentence[] } {
  // A table or a few words don't reveal a language, so all passages and the question are used.
  const common = detectLanguage(
    [...passages.map(({ text }) => text.slice(0, enoughForLanguage)), question].join("\n"),
  );
  const languages = passages.map(({ text }) =>
    text.length < enoughForLanguage ? common : detectLanguage(text),
  );
  const sentences = passages.flatMap((passage, index) =>
    quotableSentences(passage, index, languages[index]!),
  );
  const spoken = conversationWords(question, previousQuestion, [
    ...new Set(languages.filter((language) => language !== null)),
  ]);
  const vocabulary = new Set<string>();
  for (const sentence of sentences)
    for (const set of [sentence.terms, sentence.above])
      for (const term of set) vocabulary.add(term);
  const words = resolveParts(spoken, (form) => vocabulary.has(form));
  if (!words.length) return { sentences: [] };
  const related = findRelated(words, vocabulary);
  const weights = words.map(
    (word) => word.weight * lightness(word.forms) * rarity(word.forms, sentences),
  );
  const mass = weights.reduce((sum, weight) => sum + weight, 0);
  const ownMass = weights.reduce(
    (sum, weight, word) => (words[word]!.isEarlier ? sum : sum + weight),
    0,
  );
  const asked = answerKind(question);
  const synonyms = words.map(({ forms }) => findSynonyms(forms, true));
  const matchIn = (terms: Set<string>, word: number): number => {
    if (words[word]!.forms.some((form) => terms.has(form))) return 1;
    if (containsAny(terms, related[word]!)) return matchWeight.related;
    return containsAny(terms, synonyms[word]!) ? matchWeight.synonym : 0;
  };
  const matches = sentences.map((sentence) =>
    words.map((_, word) => matchIn(sentence.terms, word)),
  );
  const headingMatches = sentences.map((sentence) =>
    words.map((_, word) => matchIn(sentence.above, word)),
  );
  const inPassage = passages.map((_, passage) =>
    words.map((__, word) =>
      sentences.reduce(
        (most, sentence, index) =>
          sentence.passage === passage ? Math.max(most, matches[index]![word]!) : most,
        0,
      ),
    ),
  );
  const isNumbered = words.map((word) => word.isExact === true && /\p{N}/u.test(word.forms[0]!));
  const isSubject = (word: number): boolean =>
    !words[word]!.isExact && lightness(words[word]!.forms) === 1 && words[word]!.weight >= 1;
  for (const [index, sentence] of sentences.entries()) {
    const near = (step: number, word: number): number =>
      sentences[index + step]?.passage === sentence.passage ? matches[index + step]![word]! : 0;
    let total = 0,
      matched = 0,
      matchedNow = 0,
      said = 0,
      headingMass = 0,
      factor = 1;
    let containsSubject = false,
      hasSubject = false;
    for (const [word, { isExact, isEarlier }] of words.entries()) {
      const own = matches[index]![word]!;
      const around = Math.max(
        near(-1, word) * (sentence.refersBack ? backReferenceWeight : matchWeight).previous,
        near(1, word) * matchWeight.next,
        inPassage[sentence.passage]![word]! *
          (sentence.refersBack ? backReferenceWeight : matchWeight).passage,
      );
      const part = Math.max(
        own,
        headingMatches[index]![word]! * matchWeight.heading,
        isNumbered[word] ? around * numberedPart : around,
      );
      matched += own * weights[word]!;
      if (!isEarlier || ownMass === 0) matchedNow += own * weights[word]!;
      if (!isEarlier)
        said +=
          Math.max(own, sentence.refersBack ? near(-1, word) * backReferenceWeight.previous : 0) *
          weights[word]!;
      headingMass += matchIn(sentence.heading, word) * weights[word]!;
      total += part * weights[word]!;
      if (isExact && part === 0) factor = penalty.noName;
      if (isSubject(word)) {
        hasSubject = true;
        if (part > matchWeight.passage) containsSubject = true;
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
    if (hasSubject && !containsSubject) share *= penalty.nameOnly;
    else if (evidence > 0) share += answerBonus * (1 - share);
    const covered = share;
    // A notice may write its dates and times in its own way, or they were misread.
    if (evidence < 0 && sentence.form !== "notice") share *= penalty.noAnswer;
    // A sentence without any of the words can only be what its heading announces.
    const isAnnounced = asked
      ? evidence > 0 && headingMass >= underHeading.answering * mass
      : headingMass >= underHeading.naming * mass;
    if (!isAnnounced) factor *= Math.min(1, contextOnlyFactor + said / (ownMass || mass));
    sentence.score = calibrated(share * factor);
    sentence.coverage = calibrated(covered * factor);
    sentence.announced = headingMass / mass;
    sentence.evidence = evidence;
    const isQuotable = matched > 0 || isAnnounced;
    sentence.own = isQuotable
      ? (matched / mass + matchedNow / (ownMass || mass)) / 2 +
        (evidence > 0 || (isAnnounced && !asked) ? answerBonus : 0)
      : 0;
  }
  if (asksAboutMail(question))
    for (const sentence of sentences) if (sentence.form === "mail-header") sentence.form = "record";
  return { sentences };
}

const aboutMail =
  /(?:^|[^\p{L}])(?:send|sends|sent|sender|wrote|writes?|written|received?|recipient|address|e-?mails?|mails?|messages?|geschickt|gesendet|schickte|schrieb|geschrieben|absender|empfanger|envoye|ecrit|expediteur|courriel|enviado|envio|escribio|correo|inviato|scritto)(?=[^\p{L}]|$)/u;
/** Whether a question may ask who wrote a mail, to whom or when. */
const asksAboutMail = (question: string): boolean => aboutMail.test(fold(question));

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
const lightness = (forms: string[]): number =>
  forms.some((form) => textWords.has(form)) ? generality(["thing"]) : generality(forms);

function containsAny(terms: Set<string>, wanted: Set<string>): boolean {
  for (const term of wanted) if (terms.has(term)) return true;
  return false;
}

function evidenceOf(
  sentence: QuotableSentence,
  asked: AnswerKind,
  {
    question,
    language,
    words,
    related,
  }: {
    question: string;
    language: string | null;
    words: ConversationWord[];
    related: Set<string>[];
  },
): -1 | 0 | 1 {
  const noun = asked.kind === "count" && asked.noun !== null ? asked.noun : null;
  const counted = noun === null ? -1 : words.findIndex((word) => word.forms[0] === noun);
  const isCounted = (word: string): boolean => {
    if (counted < 0) return word === noun;
    return analyse(word, { language }).some(
      ({ term }) => words[counted]!.forms.includes(term) || related[counted]!.has(term),
    );
  };
  const evidence = answerEvidence(sentence.text, question, asked, language, isCounted);
  // A row says how many there are of what it names in another column.
  const isRow = sentence.form === "record" && asked.kind === "count";
  return isRow && evidence < 0 && /\p{N}/u.test(sentence.text) ? 1 : evidence;
}

/** IDF over the passages' sentences: words in only some of them distinguish them. */
function rarity(forms: string[], sentences: QuotableSentence[]): number {
  let frequency = 0;
  for (const sentence of sentences) if (forms.some((form) => sentence.terms.has(form))) frequency++;
  // A word in no passage weighs no more than one in a single sentence.
  return inverseDocumentFrequency(Math.max(1, frequency), Math.max(12, sentences.length));
}
