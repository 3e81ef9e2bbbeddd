import { sentencesOf } from "./split-sentences.ts";

/** A text's questions, and its other sentences, which only say what they are about. */
export interface QuestionClauses {
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
/** A word besides the interrogative: "When and where was it built?" is one question. */
const minWords = 3;

export function questionClauses(text: string): QuestionClauses {
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
