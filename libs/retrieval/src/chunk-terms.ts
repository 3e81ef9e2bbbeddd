import { analyseQuestion, analyseTerms, visitTerms } from "./analyse.ts";
import { stemmedLanguages } from "./language.ts";

/**
 * The index terms of words that somebody types to find a place again, in the forms of every
 * language, because texts of many workspaces are searched at once.
 */
export const searchTerms = (typed: string): string[] => [
  ...new Set(analyseQuestion(typed, { languages: stemmedLanguages }).flatMap(({ forms }) => forms)),
];

/** Separates title and headings from the chunk's own terms; never searched for. */
export const contextEnd = "|";
/**
 * Precedes a term at the same position as the previous term: the whole of a compound after its
 * parts, the parts of computeTideTable after the whole. Never searched for.
 */
const sharedPosition = "+";
/** Prefix of a language code: the resulting term shows which languages a workspace's chunks use. */
export const languageMark = "§";

/** Context of the last chunk: chunks of a section share title and headings. */
let lastContext: { text: string; language: string | null; terms: string[] } | null = null;
function contextTerms(title: string, headingPath: string[], language: string | null): string[] {
  const text = [title.replace(/\.[a-z0-9]{1,5}$/i, ""), ...headingPath].join("\n");
  if (lastContext?.text !== text || lastContext.language !== language)
    lastContext = { text, language, terms: [...new Set(analyseTerms(text, { language }))] };
  return lastContext.terms;
}

/**
 * The terms a chunk is indexed by: title and headings (each once), the language, then the text's
 * terms in order, with `sharedPosition` marks. `language` is the document's (`detectLanguage` of
 * its whole text).
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
  const terms = [
    ...contextTerms(title, headingPath, language),
    ...(language ? [languageMark + language] : []),
    contextEnd,
  ];
  visitTerms(text, language, (term, _start, _end, shares) => {
    if (shares) terms.push(sharedPosition);
    terms.push(term);
  });
  return terms;
}

/** The result of `chunkTerms`, split into its parts. */
export interface SplitTerms {
  context: string[];
  /** One term per position. */
  body: string[];
  /** Further terms, by their positions in `body`, in order. */
  shared: { term: string; at: number }[];
}

export function splitChunkTerms(terms: string[]): SplitTerms {
  const end = terms.indexOf(contextEnd);
  const context = terms.slice(0, Math.max(0, end));
  if (!terms.includes(sharedPosition, end + 1))
    return { context, body: terms.slice(end + 1), shared: [] };
  const body: string[] = [];
  const shared: SplitTerms["shared"] = [];
  for (let place = end + 1; place < terms.length; place++)
    if (terms[place] === sharedPosition && place + 1 < terms.length)
      shared.push({ term: terms[++place]!, at: Math.max(0, body.length - 1) });
    else body.push(terms[place]!);
  return { context, body, shared };
}
