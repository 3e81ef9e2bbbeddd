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
  /** Longest chunk in characters (UTF-16 units). Default 1,000. */
  size?: number;
  /**
   * Most characters repeated from the end of the chunk before: whole sentences where one fits, else
   * whole words. Default 20.
   */
  overlap?: number;
  /**
   * Most characters of a chunk together with its headings, which an embedder gets in front of it;
   * absent: no matter.
   */
  maximum?: number;
  /** The parser's headings: from `start` on, `path` holds. */
  headings?: { start: number; path: string[] }[];
}

interface Range {
  start: number;
  end: number;
}
/** Text given to the segmenter at once: it takes time that grows with what it is given. */
const segmentWindow = 8_000;
/** What the segmenter says this close to the end of a window may change with what follows. */
const unsure = 64;
/** Overlaps below this length hold no sentence. */
const shortestSentence = 24;
const smallest = 16;
/** Emoji of several people take so many characters; an overlap leaves room for one. */
const longestSign = 32;
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const words = new Intl.Segmenter("en", { granularity: "word" });
const signs = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Chunks by structure: a new one starts at each heading, then whole paragraphs are put together up
 * to `size`; what is
 * longer is cut at lines, sentences, words (of any script, where it writes blanks at those), and
 * only a "word" longer than a
 * chunk inside, between two signs as people see them. Takes time linear in the text. Chunks cover
 * everything but white space.
 */
export function splitText({
  text,
  size = 1_000,
  overlap = 20,
  headings = [],
  maximum = Infinity,
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
    for (const range of pack(text, { start, end: bounds[section + 1]! }, limit - repeat)) {
      const from = before ? overlapStart(text, before, range, limit, repeat) : range.start;
      chunks.push({ ordinal: chunks.length, start: from, end: range.end, headingPath: path });
      before = range;
    }
  }
  return chunks;
}

/** Characters that headings leave to the text; very long ones leave it half. */
function roomBeside(path: string[], maximum: number): number {
  if (maximum === Infinity || path.length === 0) return maximum;
  const taken = path.reduce((sum, heading) => sum + heading.length, 0) + 3 * path.length;
  return Math.max(maximum - taken, maximum / 2);
}

/** Joins small pieces up to the size. */
function* pack(text: string, section: Range, size: number): Generator<Range> {
  let open: Range | null = null;
  for (const piece of pieces(text, section, size)) {
    if (open && piece.end - open.start <= size) open.end = piece.end;
    else {
      if (open) yield open;
      open = { ...piece };
    }
  }
  if (open) yield open;
}

/** Paragraphs, or what they have to be cut into, without the white space around. */
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
  // Only the range is searched: looking on to the end of the text from every section would take
  // quadratic time.
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
 * What the segmenter tells apart, window by window; the end of a window is looked at again with
 * what follows it.
 */
function* segments(text: string, range: Range, segmenter: Intl.Segmenter): Generator<Range> {
  for (let windowStart = range.start; windowStart < range.end;) {
    const isLast = windowStart + segmentWindow >= range.end;
    const windowEnd = isLast ? range.end : calmEnd(text, windowStart, windowStart + segmentWindow);
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
 * A sentence longer than a chunk: at blanks in the second half of a chunk, else between words that
 * no blank parts, else between signs.
 */
function* cutSentence(text: string, sentence: Range, size: number): Generator<Range> {
  let start = sentence.start;
  /** The last places where the open piece may end: after a blank, and after any word. */
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
      // What is left of the open piece still fits, and the word may fit behind it.
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

/** Words with the signs that follow them without a blank: no piece begins with a comma. */
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
 * The last end of a whole sign up to `end`; a sign longer than a chunk is cut, but never a
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
 * The last white space of the window's second half, so that no word is torn; where there is none,
 * the end of a word.
 */
function calmEnd(text: string, start: number, end: number): number {
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
 * Where the overlap begins, at most `repeat` characters back: at the first sentence that begins
 * there, else at the first word. The
 * chunk stays within its size.
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
  // Scripts without blanks.
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
