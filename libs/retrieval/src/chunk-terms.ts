import { analyseTerms } from "./analyse.ts";

/** Parts title and headings from the chunk's own terms; never asked for. */
export const contextEnd = "|";
/**
 * In front of a language code: a term that tells which languages a workspace's chunks are written
 * in.
 */
export const languageMark = "§";

/**
 * Terms a chunk is indexed by: those of its title and headings (each once), the language, then
 * those of its text in
 * their order. `language` is the document's (`detectLanguage` of its whole text).
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

/** The two parts of what `chunkTerms` made. */
export function splitChunkTerms(terms: string[]): { context: string[]; body: string[] } {
  const end = terms.indexOf(contextEnd);
  return end < 0
    ? { context: [], body: terms }
    : { context: terms.slice(0, end), body: terms.slice(end + 1) };
}
