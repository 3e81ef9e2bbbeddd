import { analyse } from "./analyse.ts";
import { quotableUnits, type QuotableUnit } from "./quotable-units.ts";
import { joinLines } from "./split-sentences.ts";

/** A passage in rank order, with the `score` search gave it, 0 to 1. */
export interface QuotablePassage {
  text: string;
  title: string;
  /** Distinguishes documents with the same title. */
  documentId?: string;
  headingPath: string[];
  score: number;
  /** A full text that no search rated, so `score` says nothing about it. */
  isUnrated?: boolean;
}

/** A sentence that may be quoted, with what ranking needs to know about it. */
export interface QuotableSentence {
  /** Uses a pronoun for something named before it ("It was founded in 1952"). */
  refersBack: boolean;
  form: QuotableUnit["form"];
  unit: QuotableUnit;
  passage: number;
  start: number;
  end: number;
  text: string;
  terms: Set<string>;
  /** Terms of title and headings; `heading` has only those of the headings. */
  above: Set<string>;
  heading: Set<string>;
}

const backReference =
  /(?:^|[^\p{L}])(?:it|its|they|their|them|he|his|him|she|her|this|these|those|such|er|sie|ihr\p{L}{0,2}|sein\p{L}{0,2}|dies\p{L}{0,2}|elle|elles|ils?|ses|leurs?|cette|ella|ellos|este|esta|estos|suo|sua|esso|essa|essi|ele|eles|seu|seus|hij|zij|zijn|deze|dit|он|она|они|его|ее|их|это)(?=[^\p{L}]|$)/iu;

/** Splits a passage into its quotable sentences, with their terms. */
export function quotableSentences(
  { text, title, headingPath }: QuotablePassage,
  passage: number,
  language: string | null,
): QuotableSentence[] {
  const named = title.replace(/\.[a-z0-9]{1,5}$/i, "");
  const contexts = new Map<string, { above: Set<string>; heading: Set<string> }>();
  return quotableUnits(text, headingPath).flatMap((unit) => {
    const { start, end, above, form } = unit;
    const quoted = joinLines(text.slice(start, end));
    const terms = termSet(quoted, language);
    if (!terms.size) return [];
    let context = contexts.get(above);
    if (!context) {
      const headings = [...headingPath, above].join("\n");
      contexts.set(
        above,
        (context = {
          above: termSet(`${named}\n${headings}`, language),
          heading: termSet(headings, language),
        }),
      );
    }
    return [
      {
        passage,
        start,
        end,
        text: quoted,
        terms,
        ...context,
        form,
        unit,
        refersBack: backReference.test(quoted),
      },
    ];
  });
}

/** Includes unstemmed terms, for questions in a different language from the passage. */
const termSet = (text: string, language: string | null): Set<string> =>
  new Set(
    [...analyse(text, { language }), ...analyse(text, { language: null })].map(({ term }) => term),
  );
