import type { SourceWire } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { joinFacts } from "./format.ts";

interface Placed extends Pick<SourceWire, "title" | "page" | "headingPath" | "text"> {
  /** Set if it differs from its place in the list. */
  number?: number;
}

const openingLength = 24;
function openingOf({ text }: Placed): string {
  const words = text.replace(/\s+/g, " ").trim();
  if (words.length <= openingLength) return words;
  return `${clipText(words, openingLength + 1).replace(/\s\S*$/, "")}…`;
}

const join = (...parts: (string | undefined)[]): string => joinFacts(parts);

/**
 * Where each source's passage is in its document: on a page, else below a heading. If two of the
 * same document would read alike, more is added: the heading, its first words, its number.
 */
export function placesOf(
  sources: readonly Placed[],
  nameOfPage: (page: number) => string,
): string[] {
  const page = (source: Placed): string => (source.page === null ? "" : nameOfPage(source.page));
  const heading = ({ headingPath }: Placed): string | undefined => headingPath.at(-1);
  const levels: ((source: Placed, index: number) => string)[] = [
    // A page's title is often its first heading as well.
    (source) => page(source) || (heading(source) === source.title ? "" : (heading(source) ?? "")),
    (source) => join(page(source), heading(source)),
    (source) => join(page(source) || heading(source), `“${openingOf(source)}”`),
    (source, index) => join(page(source) || heading(source), String(source.number ?? index + 1)),
  ];
  let places = sources.map(levels[0]!);
  for (const describe of levels.slice(1)) {
    const keys = sources.map(({ title }, index) => JSON.stringify([title, places[index]]));
    const counts = Map.groupBy(keys, (key) => key);
    places = places.map((place, index) =>
      counts.get(keys[index]!)!.length > 1 ? describe(sources[index]!, index) : place,
    );
  }
  return places;
}

/** The answer with a list of the sources that it cites, or all sources if it cites none. */
export function withSources(
  answer: string,
  sources: readonly Placed[],
  cited: ReadonlySet<number>,
  words: { heading: string; page: (page: number) => string },
): string {
  const places = placesOf(sources, words.page);
  const lines = sources.flatMap(({ title }, index) =>
    cited.size === 0 || cited.has(index + 1)
      ? `[${index + 1}] ${[title, places[index]].filter(Boolean).join(", ")}`
      : [],
  );
  return `${answer.trimEnd()}\n\n${words.heading}\n${lines.join("\n")}\n`;
}
