import { analyseQuestion } from "./analyse.ts";
import { stemmedLanguages } from "./language.ts";

/**
 * The index terms of words that somebody types to find a place again, in the forms of every
 * language, because texts of many workspaces are searched at once.
 */
export const searchTerms = (typed: string): string[] => [
  ...new Set(analyseQuestion(typed, { languages: stemmedLanguages }).flatMap(({ forms }) => forms)),
];
