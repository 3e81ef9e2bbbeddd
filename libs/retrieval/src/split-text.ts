/** A piece of a document: `text.slice(start, end)`. */
export interface Chunk {
  /** From 0, in reading order. */
  ordinal: number;
  /** Character range in the document's text, end exclusive. */
  start: number;
  end: number;
  headingPath: string[];
}

export interface SplitOptions {
  text: string;
  /** Maximum chunk length in characters (UTF-16 units). Default 1,000. */
  size?: number;
  /**
   * Maximum characters repeated from the end of the previous chunk: whole sentences if one fits,
   * otherwise whole words. Default 20.
   */
  overlap?: number;
  /**
   * Maximum characters of a chunk including the headings an embedder prepends; unlimited if
   * omitted.
   */
  maximum?: number;
  /** The parser's headings: `path` applies from `start` on. */
  headings?: { start: number; path: string[] }[];
  /**
   * How the chunks of an earlier version of the text begin (`openingAt`). A chunk that is half full
   * ends where one of them would begin, so that a change only affects the chunks around it.
   */
  openings?: ReadonlySet<string>;
}

const openingLength = 64;

/** The beginning of a chunk at this position, by which it is recognised in another text. */
export const openingAt = (text: string, at: number): string => text.slice(at, at + openingLength);

interface Range {
  start: number;
  end: number;
}
/** Window passed to the segmenter at once: its cost grows with the length of its input. */
const segmentWindow = 8_000;
/** Boundaries this close to the end of a window may change with the text that follows. */
const unsure = 64;
/** Shorter overlaps can't contain a sentence. */
const shortestSentence = 24;
const smallest = 16;
/** Length of a family emoji; an overlap leaves room for one. */
const longestSign = 32;
const noOpenings: ReadonlySet<string> = new Set();
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const words = new Intl.Segmenter("en", { granularity: "word" });
const signs = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Splits by structure: each heading starts a new chunk, and whole paragraphs are combined up to
 * `size`. Longer ones are split at lines, sentences and words (of any script, at spaces where it
 * has them); only a "word" longer than a chunk is split inside, between grapheme clusters. Linear
 * in the length of the text. Chunks cover everything but white space.
 */
export function splitText({
  text,
  size = 1_000,
  overlap = 20,
  headings = [],
  maximum = Infinity,
  openings = noOpenings,
}: SplitOptions): Chunk[] {
  const sorted = [...headings]
    .filter((heading) => heading.start >= 0 && heading.start < text.length)
    .sort((a, b) => a.start - b.start);
  const bounds = [...new Set([0, ...sorted.map((heading) => heading.start), text.length])];
  const chunks: Chunk[] = [];
  let next = 0;
  let path: string[] = [];
  for (let section = 0; section + 1 < bounds.length; section++) {
    const start = bounds[section]!;
    for (; next < sorted.length && sorted[next]!.start <= start; next++) path = sorted[next]!.path;
    const limit = Math.max(smallest, Math.floor(Math.min(size, roomBeside(path, maximum))));
    const repeat = Math.max(
      0,
      Math.min(Math.floor(overlap), Math.floor(limit / 2), limit - longestSign),
    );
    let before: Range | null = null;
    const range = { start, end: bounds[section + 1]! };
    for (const packed of pack(text, range, limit - repeat, openings)) {
      const from = before ? overlapStart(text, before, packed, limit, repeat) : packed.start;
      chunks.push({ ordinal: chunks.length, start: from, end: packed.end, headingPath: path });
      before = packed;
    }
  }
  return chunks;
}

/** Characters left for the text beside the headings: at least half. */
function roomBeside(path: string[], maximum: number): number {
  if (maximum === Infinity || path.length === 0) return maximum;
  const taken = path.reduce((sum, heading) => sum + heading.length, 0) + 3 * path.length;
  return Math.max(maximum - taken, maximum / 2);
}

/** Combines small pieces up to the size, or up to where a chunk began before. */
function* pack(
  text: string,
  section: Range,
  size: number,
  openings: ReadonlySet<string>,
): Generator<Range> {
  const begins = (open: Range, piece: Range): boolean =>
    openings.size > 0 &&
    open.end - open.start >= size / 2 &&
    openings.has(openingAt(text, piece.start));
  let open: Range | null = null;
  for (const piece of pieces(text, section, size)) {
    if (open && piece.end - open.start <= size && !begins(open, piece)) open.end = piece.end;
    else {
      if (open) yield open;
      open = { ...piece };
    }
  }
  if (open) yield open;
}

/** Paragraphs, or the pieces they have to be split into, without surrounding white space. */
function* pieces(text: string, range: Range, size: number): Generator<Range> {
  for (const paragraph of between(text, range, /\n[^\S\n]*\n\s*/g)) {
    if (paragraph.end - paragraph.start <= size) yield paragraph;
    else
      for (const line of between(text, paragraph, /\n/g)) {
        if (line.end - line.start <= size) yield line;
        else
          for (const sentence of segments(text, line, sentences)) {
            if (sentence.end - sentence.start <= size) yield sentence;
            else yield* cutSentence(text, sentence, size);
          }
      }
  }
}

function* between(text: string, range: Range, separator: RegExp): Generator<Range> {
  // Search only the range: scanning from every section to the end of the text would be quadratic.
  const part = text.slice(range.start, range.end);
  let start = range.start;
  for (const match of part.matchAll(separator)) {
    const found = trimmed(text, start, range.start + match.index);
    if (found) yield found;
    start = range.start + match.index + match[0].length;
  }
  const last = trimmed(text, start, range.end);
  if (last) yield last;
}

/**
 * Segments the range window by window; the end of a window is segmented again with the text that
 * follows.
 */
function* segments(text: string, range: Range, segmenter: Intl.Segmenter): Generator<Range> {
  for (let windowStart = range.start; windowStart < range.end;) {
    const isLast = windowStart + segmentWindow >= range.end;
    const windowEnd = isLast
      ? range.end
      : findWordEnd(text, windowStart, windowStart + segmentWindow);
    const sure = isLast ? windowEnd : windowEnd - unsure;
    let done = windowStart;
    for (const { index, segment } of segmenter.segment(text.slice(windowStart, windowEnd))) {
      const end = windowStart + index + segment.length;
      if (end > sure && done > windowStart) break;
      done = end;
      const found = trimmed(text, windowStart + index, end);
      if (found) yield found;
    }
    windowStart = done;
  }
}

/**
 * Splits a sentence longer than a chunk: at spaces in the second half of a chunk, else between
 * words not separated by spaces, else between characters.
 */
function* cutSentence(text: string, sentence: Range, size: number): Generator<Range> {
  let start = sentence.start;
  /** The last positions where the open piece may end: after a space, and after any word. */
  let blank = -1;
  let edge = -1;
  const close = function* (end: number): Generator<Range> {
    const found = trimmed(text, start, end);
    if (found) yield found;
    start = end;
  };
  for (const word of units(text, sentence)) {
    while (word.end - start > size) {
      const end = blank > start + size / 2 ? blank : Math.max(edge, blank);
      if (end > start) yield* close(end);
      else {
        // The word alone is longer than a chunk.
        const cut = signEnd(text, start, Math.min(start + size, word.end));
        yield* close(cut);
      }
      while (start < word.end && isSpace(text.charCodeAt(start))) start++;
      if (blank <= start) blank = -1;
      if (edge <= start) edge = -1;
      // The rest of the open piece still fits, and the word may fit after it.
    }
    if (word.start > start) {
      edge = word.start;
      if (isSpace(text.charCodeAt(word.start - 1))) blank = word.start;
    }
    if (word.end - start <= size) {
      edge = word.end;
      if (isSpace(text.charCodeAt(word.end))) blank = word.end;
    }
  }
  if (start < sentence.end) yield* close(sentence.end);
}

/** Words with any punctuation directly after them, so that no piece begins with a comma. */
function* units(text: string, range: Range): Generator<Range> {
  let open: Range | null = null;
  for (const word of segments(text, range, words)) {
    if (open && word.start === open.end && !startsWord(text, word.start)) open.end = word.end;
    else {
      if (open) yield open;
      open = { ...word };
    }
  }
  if (open) yield open;
}

const wordStart = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{So}]/u;
const startsWord = (text: string, at: number): boolean => wordStart.test(text.slice(at, at + 2));

/**
 * The last grapheme boundary up to `end`. A grapheme longer than a chunk is split, but never a
 * surrogate pair.
 */
function signEnd(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length;
  let last = start;
  for (const { index, segment } of signs.segment(text.slice(start, end + unsure))) {
    const next = start + index + segment.length;
    if (next > end) break;
    last = next;
  }
  if (last > start) return last;
  return isLowHalf(text, end) ? end - 1 || end + 1 : end;
}

/**
 * The last white space in the second half of the window, so that no word is split; otherwise the
 * end of a word.
 */
function findWordEnd(text: string, start: number, end: number): number {
  for (let position = end; position > (start + end) / 2; position--)
    if (isSpace(text.charCodeAt(position - 1))) return position;
  const from = isLowHalf(text, end - 4 * unsure) ? end - 4 * unsure - 1 : end - 4 * unsure;
  let last = -1;
  for (const { index } of words.segment(text.slice(from, end + unsure)))
    if (index > unsure && from + index <= end) last = from + index;
  return last > from ? last : signEnd(text, from, end);
}

const isLowHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/**
 * Start of the overlap, at most `repeat` characters back: the first sentence that starts there,
 * otherwise the first word. Keeps the chunk within its size.
 */
function overlapStart(
  text: string,
  before: Range,
  range: Range,
  size: number,
  repeat: number,
): number {
  const earliest = Math.max(before.start, before.end - repeat, range.end - size);
  if (earliest >= before.end) return range.start;
  if (earliest === before.start) return earliest;
  if (before.end - earliest >= shortestSentence) {
    const from = Math.max(before.start, earliest - segmentWindow / 8);
    for (const { start } of segments(
      text,
      { start: wholeFrom(text, from), end: before.end },
      sentences,
    ))
      if (start >= earliest && start > from) return start;
  }
  for (let position = earliest; position < before.end; position++) {
    if (!isSpace(text.charCodeAt(position)) && isSpace(text.charCodeAt(position - 1)))
      return position;
  }
  // Scripts without spaces.
  const from = Math.max(before.start, earliest - unsure);
  for (const { start } of units(text, { start: wholeFrom(text, from), end: before.end }))
    if (start >= earliest && start > from && startsWord(text, start)) return start;
  return range.start;
}

const wholeFrom = (text: string, at: number): number => (isLowHalf(text, at) ? at + 1 : at);

const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0x3000 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0xfeff ||
  code === 0x1680 ||
  code === 0x202f ||
  code === 0x205f;

function trimmed(text: string, start: number, end: number): Range | null {
  let from = start,
    to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return from < to ? { start: from, end: to } : null;
}
