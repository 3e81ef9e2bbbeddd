const wordEnd = /\p{L}[-\u2010\u00ad]$/u;
/** "header: value", the format of CSV rows. */
const record = /^[^.!?]{1,60}: \S/;
/** Includes halves of a letter outside the basic plane. */
const letter = /[\p{L}\p{Cs}]/u;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Lines of wrapped prose are nearly as long as the widest one. */
const wrappedShare = 0.7;
const minWidth = 40;
/** A word with capital letters only: notices and signs are often set in capitals. */
const capitals = /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u;

/** Whether a line of a paragraph, `width` characters at its widest, continues in the next one. */
function continuesIn(line: string, next: string, width: number): boolean {
  const [end, start] = [line.trimEnd(), next.trimStart()];
  if (wordEnd.test(end) && /^\p{L}/u.test(start)) return true;
  if (/^\p{Ll}/u.test(start)) return true;
  if (capitals.test(end) && capitals.test(start)) return true;
  return width >= minWidth && end.length >= wrappedShare * width;
}

/**
 * A quote on one line, rejoining words hyphenated at a line's end. Rows of "header: value" lines
 * keep their lines.
 */
export function joinLines(text: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return text;
  if (lines.every((line) => record.test(line))) return text;
  const isHyphenated = new Map<string, boolean>();
  /** Whether the text also contains the word with its hyphen inside a line ("low-speed"). */
  const keepsHyphen = (before: string, next: string): boolean => {
    const word = `${lastWord(before.slice(0, -1))}-${/^\p{Ll}+/u.exec(next)![0]}`;
    const known = isHyphenated.get(word) ?? text.includes(word);
    isHyphenated.set(word, known);
    return known;
  };
  // The last line is still open: only its end decides how the next one is joined.
  const joined = [lines[0]!.trimEnd()];
  for (const line of lines.slice(1)) {
    const next = line.trim();
    if (next === "") continue;
    const before = joined.at(-1)!;
    if (before === "") joined[joined.length - 1] = next;
    else if (wordEnd.test(before.slice(-3)) && /^\p{Ll}/u.test(next)) {
      if (!keepsHyphen(before, next)) joined[joined.length - 1] = before.slice(0, -1);
      joined.push(next);
    } else if (unspaced.test(before.at(-1)!) && unspaced.test(next[0]!)) joined.push(next);
    else joined.push(" ", next);
  }
  return joined.join("");
}

/** The letters at the end of a text. */
function lastWord(text: string): string {
  let start = text.length;
  while (start > 0 && letter.test(text[start - 1]!)) start -= 1;
  return text.slice(start);
}

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
