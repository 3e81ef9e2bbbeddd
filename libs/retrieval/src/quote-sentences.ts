import { answerKind } from "./answer-kind.ts";
import { conversationWords } from "./conversation-words.ts";
import { fold } from "./fold.ts";
import { detectLanguage } from "./language.ts";
import { blankFillers } from "./question-fillers.ts";
import type { SearchedWord } from "./question.ts";
import {
  quotableSentences,
  type QuotablePassage,
  type QuotableSentence,
} from "./quotable-sentence.ts";
import { quoteText, type QuotedSentence } from "./quote-text.ts";
import { selectSentences, type SelectedSentence } from "./select-sentences.ts";
import { rateFeatures, type RatedSentence } from "./sentence-features.ts";
import { sentencesOf } from "./split-sentences.ts";

/** A text's questions, and its other sentences, which only say what the questions are about. */
interface QuestionClauses {
  questions: string[];
  context: string;
}

/** More questions than anybody asks at once; a pasted page isn't read sentence by sentence. */
const maxQuestions = 4;
const longest = 2_000;

const interrogative =
  "what|when|where|who|whom|whose|why|which|how|was|wann|wo|wer|wen|wem|warum|wieso|weshalb|wie|welche[rsmn]?|wie ?viele?|quand|qui|pourquoi|comment|combien|quels?|quelles?|qué|cuándo|cuántos?|cuántas?|dónde|quién(?:es)?|cómo|cuál(?:es)?|che|quando|dove|chi|perché|quali?|quanti|quante|quem|onde|quais|wat|wanneer|waar|hoe|welke?|что|когда|где|кто|почему|как";
/** "… and what happens …": the second half is a separate question. */
const joined = new RegExp(`[,;]?\\s+(?:and|und|et|y|e|en|и)\\s+(?=(?:${interrogative})\\s)`, "giu");
const asks = new RegExp(`(?:^|[^\\p{L}])(?:${interrogative})(?![\\p{L}])`, "iu");
const questionMark = /[?？؟]["'”’»)\]*_\s]*$/u;
/** A clause with fewer words isn't a separate question: "When and where was it built?" is one. */
const minWords = 3;

function questionClauses(text: string): QuestionClauses {
  if (text.length > longest) return { questions: [text], context: "" };
  const sentences = [...sentencesOf(text, 0, text.length)].flatMap(
    ({ start, end }) => text.slice(start, end).trim() || [],
  );
  const asked = sentences.filter((sentence) => questionMark.test(sentence));
  if (asked.length === 0 || asked.length > maxQuestions) return { questions: [text], context: "" };
  return {
    questions: asked.flatMap(splitJoined).slice(0, maxQuestions),
    context: sentences.filter((sentence) => !questionMark.test(sentence)).join(" "),
  };
}

function splitJoined(question: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: conjunction } of question.matchAll(joined)) {
    const before = question.slice(from, index);
    if (!asks.test(before) || before.split(/\s+/).length < minWords) continue;
    parts.push(before);
    from = index + conjunction.length;
  }
  return [...parts, question.slice(from)];
}

export interface ExtractiveInput {
  question: string;
  /**
   * The previous question in the thread; its words count if this question's own say too little
   * ("And when?").
   */
  previousQuestion: string | null;
  passages: QuotablePassage[];
  /** The words searched for; absent if the passages don't come from a search. */
  searched?: readonly SearchedWord[];
  /** Minimum score for a quoted sentence, 0 to 1. */
  threshold: number;
}

const enoughForLanguage = 300;
const maxQuotes = 3;

/**
 * The extractive answer: at most 3 verbatim quotes in reading order (passages in the given order),
 * all at or above the threshold. Empty if the passages don't answer the question. A text with
 * several questions is answered one by one.
 */
export function quoteSentences(input: ExtractiveInput): QuotedSentence[] {
  const read = readPassages(input);
  const { questions, context } = questionClauses(blankFillers(input.question));
  const answers = questions.map((question) => {
    const others = questions.filter((other) => other !== question);
    const earlier = [input.previousQuestion ?? "", context, ...others].filter(Boolean).join("\n");
    return selectSentences(rateQuestion(question, earlier || null, input, read), input.threshold);
  });
  const selected = firstOfEach(answers).sort(
    (a, b) => a.sentence.passage - b.sentence.passage || a.sentence.start - b.sentence.start,
  );
  return quoteText(selected, read.sentences, input);
}

/** The best sentences of each answer in turn, without repeating any. */
function firstOfEach(answers: readonly SelectedSentence[][]): SelectedSentence[] {
  const chosen = new Map<number, SelectedSentence>();
  for (let place = 0; chosen.size < maxQuotes && answers.some((own) => place < own.length); place++)
    for (const own of answers) {
      const next = own[place];
      if (next === undefined || chosen.size >= maxQuotes) continue;
      const key = next.sentence.index;
      if (next.score > (chosen.get(key)?.score ?? -1)) chosen.set(key, next);
    }
  return [...chosen.values()];
}

/** All sentences of the passages, rated for how likely they answer the question. */
export function rateSentences(input: Omit<ExtractiveInput, "threshold">): RatedSentence[] {
  return rateQuestion(input.question, input.previousQuestion, input, readPassages(input));
}

interface ReadPassages {
  sentences: QuotableSentence[];
  languages: (string | null)[];
}

function readPassages({
  question,
  passages,
}: Pick<ExtractiveInput, "question" | "passages">): ReadPassages {
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
  return { sentences, languages };
}

function rateQuestion(
  question: string,
  previousQuestion: string | null,
  { passages, searched = [] }: Pick<ExtractiveInput, "passages" | "searched">,
  { sentences, languages }: ReadPassages,
): RatedSentence[] {
  const words = conversationWords(question, previousQuestion, [
    ...new Set(languages.filter((language) => language !== null)),
  ]);
  if (words.length === 0) return [];
  const asked = { question, words, asked: answerKind(question), searched };
  const aboutMail = asksAboutMail(question);
  return rateFeatures(
    asked,
    sentences.map((sentence): QuotableSentence =>
      aboutMail && sentence.form === "mail-header" ? { ...sentence, form: "record" } : sentence,
    ),
    passages,
    languages,
  );
}

const aboutMail =
  /(?:^|[^\p{L}])(?:send|sends|sent|sender|wrote|writes?|written|received?|recipient|address|e-?mails?|mails?|messages?|geschickt|gesendet|schickte|schrieb|geschrieben|absender|empfanger|envoye|ecrit|expediteur|courriel|enviado|envio|escribio|correo|inviato|scritto)(?=[^\p{L}]|$)/u;
/** Whether a question may ask who wrote a mail, to whom or when. */
const asksAboutMail = (question: string): boolean => aboutMail.test(fold(question));
