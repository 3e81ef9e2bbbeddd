import { analyseQuestion, type QuestionWord } from "./analyse.ts";

/** Weight of a word from the previous question. */
const previousWeight = 0.5;

/** `isEarlier`: from the previous question. */
export type ConversationWord = QuestionWord & { weight: number; isEarlier: boolean };

/** For quotes, a word in another spelling or an irregular form counts as the word itself. */
const wordsOf = (question: string, languages: string[]): QuestionWord[] =>
  analyseQuestion(question, { languages }).map(({ variants = [], ...word }) => ({
    ...word,
    forms: [
      ...word.forms,
      ...variants,
      ...(languages.includes("de") ? word.forms.flatMap(germanParticiples) : []),
    ],
  }));

const minStem = 4;
/** "baute" (stem "baut") and "gebaut": the stemmer keeps the prefix. */
function germanParticiples(form: string): string[] {
  if (form.length < minStem || !/^\p{L}+$/u.test(form)) return [];
  return form.startsWith("ge") && form.length >= minStem + 2 ? [form.slice(2)] : [`ge${form}`];
}

/** The words of a question and, at a lower weight, of the previous one. */
export function conversationWords(
  question: string,
  previousQuestion: string | null,
  languages: string[],
): ConversationWord[] {
  const own = wordsOf(question, languages).map((word) => ({
    ...word,
    weight: word.weight ?? 1,
    isEarlier: false,
  }));
  if (!previousQuestion) return own;
  // "And who does it?" asks about the same topic, so only the previous question says what to search
  // for.
  if (own.every((word) => word.isStop))
    return wordsOf(previousQuestion, languages).map((word) => ({
      ...word,
      weight: word.weight ?? 1,
      isEarlier: true,
    }));
  const known = new Set(own.flatMap((word) => word.forms));
  // "And E20?" after a question about E11 is no longer about E11.
  const isNewName = own.some((word) => word.isExact);
  const before = wordsOf(previousQuestion, languages).filter(
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
