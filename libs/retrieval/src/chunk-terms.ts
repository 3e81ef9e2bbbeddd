import { analyseTerms } from "./analyse.ts";

/** Separates title and headings from the chunk's own terms; never searched for. */
export const contextEnd = "|";
/** Prefix of a language code: the resulting term shows which languages a workspace's chunks use. */
export const languageMark = "§";

/** Of the last chunk: chunks of a section share title and headings. */
let lastContext: { text: string; language: string | null; terms: string[] } | null = null;
function contextTerms(title: string, headingPath: string[], language: string | null): string[] {
  const text = [title.replace(/\.[a-z0-9]{1,5}$/i, ""), ...headingPath].join("\n");
  if (lastContext?.text !== text || lastContext.language !== language)
    lastContext = { text, language, terms: [...new Set(analyseTerms(text, { language }))] };
  return lastContext.terms;
}

/**
 * The terms a chunk is indexed by: title and headings (each once), the language, then the text's
 * terms in order. `language` is the document's (`detectLanguage` of its whole text).
 */
export function chunkTerms({
  text,
  title,
  headingPath,
  language,
}: {
  text: string;
  title: string;
  headingPath: string[];
  language: string | null;
}): string[] {
  return [
    ...contextTerms(title, headingPath, language),
    ...(language ? [languageMark + language] : []),
    contextEnd,
    ...analyseTerms(text, { language }),
  ];
}

/** Splits the result of `chunkTerms` into its two parts. */
export function splitChunkTerms(terms: string[]): { context: string[]; body: string[] } {
  const end = terms.indexOf(contextEnd);
  return end < 0
    ? { context: [], body: terms }
    : { context: terms.slice(0, end), body: terms.slice(end + 1) };
}
