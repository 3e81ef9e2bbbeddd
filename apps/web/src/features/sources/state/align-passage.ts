import type { Range } from "./passage.ts";

/** A word of a text in the form for comparison, and its position. */
interface Word {
  text: string;
  start: number;
  end: number;
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * Words ignoring case and invisible hyphens; in scripts without spaces, every character counts as a
 * word.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: match, index } of text.matchAll(
    /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060\ufeff]*/gu,
  )) {
    if (wide.test(match)) {
      let at = index;
      for (const character of match) {
        words.push({ text: character, start: at, end: at + character.length });
        at += character.length;
      }
    } else {
      words.push({
        text: match.replace(invisible, "").toLowerCase(),
        start: index,
        end: index + match.length,
      });
    }
  }
  return words;
}

/** Words of two texts that correspond, by their positions in each. */
interface WordPair {
  from: number;
  to: number;
}

const fromMatch = 1;
const afterMatch = 2;
const up = 4;

/**
 * The heaviest common subsequence of two lists of words, by the weights of the first; words that
 * are adjacent in both count more, so that a sentence isn't matched by scattered words.
 */
function alignWords(
  from: readonly string[],
  to: readonly string[],
  weights: readonly number[],
): WordPair[] {
  const width = to.length + 1;
  const steps = new Uint8Array((from.length + 1) * width);
  let best = new Float32Array(width);
  let matched = new Float32Array(width).fill(-Infinity);
  for (let i = 1; i <= from.length; i += 1) {
    const word = from[i - 1]!;
    const weight = weights[i - 1]!;
    const nextBest = new Float32Array(width);
    const nextMatched = new Float32Array(width).fill(-Infinity);
    for (let j = 1; j < width; j += 1) {
      let step = 0;
      let score = nextBest[j - 1]!;
      if (best[j]! > score) {
        score = best[j]!;
        step = up;
      }
      if (to[j - 1] === word) {
        const alone = best[j - 1]! + weight;
        const inRow = matched[j - 1]! + 1.5 * weight;
        const here = Math.max(alone, inRow);
        nextMatched[j] = here;
        if (inRow > alone) step |= afterMatch;
        if (here > score) {
          score = here;
          step |= fromMatch;
        }
      }
      nextBest[j] = score;
      steps[i * width + j] = step;
    }
    best = nextBest;
    matched = nextMatched;
  }
  const pairs: WordPair[] = [];
  let i = from.length;
  let j = to.length;
  let inRow = false;
  while (i > 0 && j > 0) {
    const step = steps[i * width + j]!;
    if (inRow || step & fromMatch) {
      pairs.push({ from: i - 1, to: j - 1 });
      inRow = (step & afterMatch) !== 0;
      i -= 1;
      j -= 1;
    } else if (step & up) i -= 1;
    else j -= 1;
  }
  return pairs.reverse();
}

/** Of longer passages, only the beginning is compared. */
const mostWords = 3_000;
/** Share of the passage's words that must be found; with fewer, the place would be a guess. */
const leastFound = 0.5;
/** Maximum unmatched words between two matched ones that are marked along with them. */
const widestGap = 2;
/** Outside a mostly matched line, matches count only with this many words in a row. */
const shortestRun = 3;

/** The column's name before a value, which extraction repeats in each row. */
const label = /^[^:\n]{1,80}:[ \t]/gm;
/** Labels are usually elsewhere on the page, so they only break ties. */
const labelWeight = 0.1;

/** Which words of a passage belong to labels. */
function findLabels(passage: string, words: readonly Word[]): boolean[] {
  const ranges = [...passage.matchAll(label)].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
  let at = 0;
  return words.map(({ start }) => {
    while (at < ranges.length && ranges[at]!.end <= start) at += 1;
    return at < ranges.length && ranges[at]!.start <= start;
  });
}

/** Weights of words: the rarer in the page, the higher. */
function weigher(page: readonly Word[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { text } of page) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (word) => Math.log(1 + page.length / (counts.get(word) ?? page.length));
}

/**
 * The part of the page with the most, and rarest, words of the passage; sequences of three count
 * more. `hint` (0 to 1), the passage's position in the document, breaks ties.
 */
function findWindow(
  page: readonly Word[],
  passage: readonly Word[],
  weigh: (word: string) => number,
  hint: number,
): Range {
  const single = new Set(passage.map((word) => word.text));
  const threesOf = (words: readonly Word[], at: number): string | null =>
    at + 2 < words.length
      ? `${words[at]!.text} ${words[at + 1]!.text} ${words[at + 2]!.text}`
      : null;
  const threes = new Set(passage.map((_, at) => threesOf(passage, at)));
  threes.delete(null);
  const length = Math.min(page.length, Math.ceil(passage.length * 1.5) + 16);
  const scores = page.map(({ text }, at) =>
    single.has(text) ? weigh(text) * (threes.has(threesOf(page, at)) ? 4 : 1) : 0,
  );
  let sum = 0;
  let best = { start: 0, score: -1 };
  for (let end = 0; end < page.length; end += 1) {
    sum += scores[end]! - (end >= length ? scores[end - length]! : 0);
    if (end + 1 < length) continue;
    const start = end + 1 - length;
    const distance = Math.abs((start + length / 2) / page.length - hint);
    const score = sum * (1.1 - 0.1 * distance);
    if (score > best.score) best = { start, score };
  }
  const margin = Math.ceil(passage.length / 2);
  return {
    start: Math.max(0, best.start - margin),
    end: Math.min(page.length, best.start + length + margin),
  };
}

/** The line number of each word. */
function linesOf(page: string, words: readonly Word[]): number[] {
  let line = 0;
  return words.map(({ start }, index) => {
    if (index > 0 && page.slice(words[index - 1]!.end, start).includes("\n")) line += 1;
    return line;
  });
}

/** A passage found in the text of a rendered page. */
export interface Alignment {
  /** Where the words between two characters of the passage are on the page: a range per line. */
  rangesOf: (start: number, end: number) => Range[];
}

/** Punctuation, or a unit, that belongs to the preceding word. */
const tail = /^(?:[ \u00a0]?[%‰€$£°])?[^\s\p{L}\p{N}([{„“«]{0,3}/u;

/**
 * Finds a passage of the extracted text in the text of its rendered page, whose lines are blocks
 * (paragraphs, cells). Both have the same words in the same order, except for what extraction adds
 * or leaves out: column names repeated in each row, bullets, markup. null: not found.
 */
export function alignPassage(page: string, passage: string, hint: number): Alignment | null {
  const pageWords = wordsOf(page);
  const words = wordsOf(passage).slice(0, mostWords);
  if (words.length === 0 || pageWords.length === 0) return null;
  const weigh = weigher(pageWords);
  const isLabel = findLabels(passage, words);
  const own = words.filter((_, index) => !isLabel[index]);
  if (own.length === 0) return null;
  const window = findWindow(pageWords, own, weigh, hint);
  const near = pageWords.slice(window.start, window.end);
  const weights = words.map(({ text }, index) => weigh(text) * (isLabel[index] ? labelWeight : 1));
  const all = alignWords(
    words.map((word) => word.text),
    near.map((word) => word.text),
    weights,
  );
  const found = all.filter(({ from }) => !isLabel[from]).length;
  if (found < own.length * leastFound) return null;

  // Stray matches of frequent words are left out.
  const lineOf = linesOf(page, near);
  const pairs = all.filter(
    ({ from, to }, index) =>
      !isLabel[from] ||
      all
        .slice(index + 1, index + 30)
        .some((next) => !isLabel[next.from] && lineOf[next.to] === lineOf[to]),
  );
  const sizes = new Map<number, { words: number; matched: number }>();
  for (const each of lineOf)
    sizes.set(each, { words: (sizes.get(each)?.words ?? 0) + 1, matched: 0 });
  for (const { to } of pairs) sizes.get(lineOf[to]!)!.matched += 1;
  const runs = pairs.map(() => 1);
  const follows = (at: number): boolean =>
    at > 0 &&
    pairs[at]!.to === pairs[at - 1]!.to + 1 &&
    pairs[at]!.from === pairs[at - 1]!.from + 1;
  for (let at = 1; at < pairs.length; at += 1) if (follows(at)) runs[at] = runs[at - 1]! + 1;
  for (let at = pairs.length - 1; at > 0; at -= 1) if (follows(at)) runs[at - 1] = runs[at]!;
  const kept = pairs.filter(({ to }, at) => {
    const { words: size, matched } = sizes.get(lineOf[to]!)!;
    return matched >= size / 2 || runs[at]! >= shortestRun;
  });
  return {
    rangesOf: (start, end) => {
      const ranges: Range[] = [];
      let last = -1;
      for (const { from, to } of kept) {
        const word = words[from]!;
        if (word.start < start || word.end > end) continue;
        const { start: at, end: until } = near[to]!;
        const before = ranges.at(-1);
        if (before && lineOf[last] === lineOf[to] && to - last <= widestGap + 1) before.end = until;
        else ranges.push({ start: at, end: until });
        last = to;
      }
      for (const range of ranges)
        range.end += tail.exec(page.slice(range.end, range.end + 5))?.[0].length ?? 0;
      return ranges;
    },
  };
}
