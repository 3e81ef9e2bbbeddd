import { clipText } from "@carrel/contracts";

/** In UTF-16 units; fits the sidebar. */
const maxCharacters = 60;
const minWords = 3;
const words = new Intl.Segmenter(undefined, { granularity: "word" });
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Characters of a question to read: the rest is rarely about something else, and may be a pasted
 * document.
 */
const maxRead = 2_000;

/**
 * Names a thread after its first question: the first sentence that says something, without markup,
 * cut at a word. Returns null if the question has no text.
 */
export function titleFromQuestion(question: string): string | null {
  const text = stripMarkup(clipText(question, maxRead));
  const lines = text
    .split(/\n+/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
  const line = lines.find((each) => /[\p{L}\p{N}]/u.test(each)) ?? lines[0];
  return line === undefined ? null : shorten(firstSentence(line)) || null;
}

function stripMarkup(text: string): string {
  const prose = text.replace(/^(```|~~~)[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, "\n");
  // A question that is nothing but code is named after its first line.
  return (
    (prose.trim() === "" ? text.replace(/^(?:```|~~~).*$/gm, "") : prose)
      .replace(/^\s*@agent\b/, "")
      .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
      .replace(/<\/?[a-zA-Z][^>\n]*>/g, "")
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, "")
      .replace(/(\*\*|__|~~|`+)(?=\S)([^\n]*?\S)\1/g, "$2")
      .replace(/(^|[\s(])([*_])(?=\S)([^\n]*?\S)\2(?=$|[\s).,;:!?])/gm, "$1$3")
      // Control and bidirectional characters can hide text; joiners belong to emoji and some scripts.
      .replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/gu, "")
  );
}

/**
 * Adds sentences until there are a few words: a greeting or an abbreviation makes no good title.
 */
function firstSentence(line: string): string {
  let text = "";
  let count = 0;
  for (const { segment } of sentences.segment(line)) {
    text += segment;
    count += [...words.segment(segment)].filter(({ isWordLike }) => isWordLike).length;
    if (count >= minWords && !/(?<!\p{L})\p{L}{1,3}\.\s*$/u.test(text)) break;
    // The title is cut shorter than this anyway.
    if (text.length > 2 * maxCharacters) break;
  }
  return text.trim();
}

function shorten(sentence: string): string {
  if (sentence.length <= maxCharacters) return trimEnd(sentence);
  let cut = "";
  for (const { segment } of characters.segment(sentence)) {
    if (cut.length + segment.length >= maxCharacters) break;
    cut += segment;
  }
  const space = cut.lastIndexOf(" ");
  // Scripts without spaces, and words longer than a third of the title, are cut anywhere.
  const kept = space > (maxCharacters * 2) / 3 ? cut.slice(0, space) : cut;
  return `${trimEnd(kept)}…`;
}

const trimEnd = (text: string): string => text.replace(/[\s.,:;。、，：；]+$/u, "");
