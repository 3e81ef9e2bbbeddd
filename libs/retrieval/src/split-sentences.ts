import { continuesIn } from "./join-lines.ts";

/** Longer "sentences" (text without full stops) are split at line breaks. */
export const longSentence = 600;
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** The segmenter mistakes the full stop after a title or an initial for the end of a sentence. */
const abbreviation =
  /(?:^|[^\p{L}])(?:\p{Lu}|Mrs?|Ms|Dr|Drs|Prof|Sr|Sra|Jr|St|Ste|Mme|Mlle|Hr|Fr|Frl|Rev|Gen|Col|Capt|Lt|Sgt|No|Nr|Nos|Art|Abs|Fig|Abb|Tel|vs|ca|approx|bzw|inkl|z\.\s?B|d\.\s?h|u\.\s?a|e\.\s?g|i\.\s?e|p\.\s?ej|г|ул|им)\.\s*$/u;

/** A paragraph with its wrapped lines joined; its length is unchanged. */
function unwrap(paragraph: string): string {
  const lines = paragraph.split("\n");
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return lines.reduce(
    (joined, line, number) =>
      number === 0
        ? line
        : `${joined}${continuesIn(lines[number - 1]!, line, width) ? " " : "\n"}${line}`,
    "",
  );
}

/**
 * Sentence ends that the segmenter misses: a full stop between spaces, as in old abstracts, and any
 * before a small letter in a text without capitals.
 */
const detachedStop = /[.!?]\s+/g;
function* splitDetached(segment: string): Generator<{ index: number; segment: string }> {
  const hasCapitals = /\p{Lu}/u.test(segment);
  let from = 0;
  for (const { index, 0: stop } of segment.matchAll(detachedStop)) {
    const to = index + stop.length;
    if (hasCapitals && !/\s/.test(segment[index - 1] ?? "")) continue;
    if (abbreviation.test(segment.slice(Math.max(0, to - 16), to)) || to === segment.length)
      continue;
    yield { index: from, segment: segment.slice(from, to) };
    from = to;
  }
  yield { index: from, segment: segment.slice(from) };
}

function* segmentsOf(paragraph: string): Generator<{ index: number; segment: string }> {
  for (const { index, segment } of segmenter.segment(unwrap(paragraph)))
    for (const part of splitDetached(segment))
      yield { index: index + part.index, segment: part.segment };
}

/** Links, pictures, addresses and inline code, whose full stops end no sentence. */
const unbroken = /`[^`\n]{1,500}`|!?\[[^[\]]{0,500}\]\([^()\s]{0,500}\)|https?:\/\/[^\s)]{1,500}/g;

/** Returns whether a position is inside one of those, for ascending positions in a text. */
function cutsUnbroken(text: string): (at: number) => boolean {
  const ranges = text.matchAll(unbroken);
  let range = ranges.next();
  return (at) => {
    while (!range.done && range.value.index + range.value[0].length <= at) range = ranges.next();
    return !range.done && range.value.index < at;
  };
}

/** Sentences of a paragraph, across line ends. */
export function* sentencesOf(
  text: string,
  start: number,
  end: number,
): Generator<{ start: number; end: number }> {
  let from = start;
  const isInside = cutsUnbroken(text.slice(start, end));
  for (const { index, segment } of segmentsOf(text.slice(start, end))) {
    const to = start + index + segment.length;
    if (to < end && to - from < longSentence && abbreviation.test(segment.slice(-16))) continue;
    if (to < end && isInside(to - start)) continue;
    if (to - from <= longSentence) yield { start: from, end: to };
    else {
      const first = from;
      for (const line of text.slice(from, to).matchAll(/[^\n]+/g))
        yield { start: first + line.index, end: first + line.index + line[0].length };
    }
    from = to;
  }
}
