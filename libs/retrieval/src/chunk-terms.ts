import { analyseTerms } from "./analyse.ts";

/** Separates title and headings from the chunk's own terms; never searched for. */
export const contextEnd = "|";
/** Prefix of a language code: the resulting term shows which languages a workspace's chunks use. */
export const languageMark = "§";

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
  const context = new Set(
    analyseTerms([title.replace(/\.[a-z0-9]{1,5}$/i, ""), ...headingPath].join("\n"), { language }),
  );
  return [
    ...context,
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
