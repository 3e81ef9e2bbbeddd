const withoutMarks = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Lower-case letters with one mark, from Latin-1 to Latin Extended-A, and the same without it. */
const accented = Array.from({ length: 0x180 - 0xc0 }, (_, n) =>
  String.fromCharCode(0xc0 + n),
).filter((letter) => letter === letter.toLowerCase() && /^[a-z]$/.test(withoutMarks(letter)));
const [from, to] = [accented.join(""), accented.map(withoutMarks).join("")];

/** Text in lower case and without accents, as `foldedSql` makes it of Latin letters. */
export const foldText = (text: string): string => {
  const lower = text.toLowerCase();
  return /^[a-z0-9]*$/.test(lower) ? lower : withoutMarks(lower);
};

/** SQL that folds the column. */
export const foldedSql = (column: string): string =>
  `translate(lower(${column}), '${from}', '${to}')`;

/**
 * What to look for in folded text instead of a term: stemming may have changed the last letter of a
 * word ("happy": "happi").
 */
export function makeNeedle(term: string): string {
  const folded = foldText(term);
  return folded.length > 4 ? folded.slice(0, -1) : folded;
}

/** Words farther apart than this don't belong to one place, in characters. */
const widest = 240;
/** Characters of an excerpt on either side of the words, at most. */
const around = { before: 60, after: 120 };
/** From this length on, a word is also found by what remains of it without its ending. */
const minStem = 5;
const maxEnding = 3;

/** Most words that are looked for. */
const maxWords = 40;

/** A run of letters and digits; letters of scripts without spaces between words stand alone. */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]]+/gv;
const sentenceEnd = /[.!?。！？\n]/u;

interface Place {
  start: number;
  end: number;
}

/** A place with as many of the words as come close together. */
export interface WordsFound extends Place {
  /** The words, in order; those next to each other are one. */
  matches: Place[];
  /** Share of the different words that are there. */
  share: number;
  /** True if the words follow each other as typed. */
  isPhrase: boolean;
}

/** The words to look for, in the order typed, without case and accents. */
export const wordsOf = (typed: string): string[] =>
  (typed.match(wordPattern) ?? [])
    .map(foldText)
    .filter((word) => word !== "")
    .slice(0, maxWords);

/**
 * Whether a word of a text counts as found: it starts with what is asked, or is the same without
 * an ending. The index knows languages and finds more, but the place has to show why it was found.
 */
function isSame(word: string, asked: string): boolean {
  if (word.startsWith(asked)) return true;
  return (
    word.length >= minStem && asked.length - word.length <= maxEnding && asked.startsWith(word)
  );
}

interface Word extends Place {
  folded: string;
}

/**
 * The best place for the words: where they follow each other as typed, or with as many of them as
 * possible, and of these the shortest. Takes time in proportion to the text.
 */
export function findWords(text: string, asked: readonly string[]): WordsFound | null {
  const words: Word[] = [];
  for (const { 0: word, index: start } of text.matchAll(wordPattern)) {
    const folded = foldText(word);
    if (folded !== "") words.push({ folded, start, end: start + word.length });
  }
  const different = [...new Set(asked)];
  const phrase = findPhrase(words, asked);
  const own = phrase ?? closestWords(words, different);
  if (own === null) return null;
  return {
    ...excerptRange(text, own.words[0]!.start, own.words.at(-1)!.end),
    matches: joinMatches(text, own.words),
    share: own.count / different.length,
    isPhrase: phrase !== null,
  };
}

/** The last word may be unfinished. */
function findPhrase(
  words: readonly Word[],
  asked: readonly string[],
): { words: readonly Word[]; count: number } | null {
  const last = asked.length - 1;
  const start = words.findIndex(
    (_, at) =>
      at + last < words.length &&
      asked.every((each, n) =>
        n === last ? words[at + n]!.folded.startsWith(each) : words[at + n]!.folded === each,
      ),
  );
  return start < 0
    ? null
    : { words: words.slice(start, start + asked.length), count: new Set(asked).size };
}

function closestWords(
  words: readonly Word[],
  asked: readonly string[],
): { words: readonly Word[]; count: number } | null {
  const found = words.flatMap((word) => {
    const place = asked.findIndex((each) => isSame(word.folded, each));
    return place < 0 ? [] : [{ ...word, place }];
  });
  let best: { first: number; last: number; count: number; length: number } | null = null;
  const counts = asked.map(() => 0);
  let count = 0;
  for (let first = 0, last = 0; last < found.length; last += 1) {
    const { end, place } = found[last]!;
    if (counts[place]!++ === 0) count += 1;
    while (
      first < last &&
      (end - found[first]!.start > widest || counts[found[first]!.place]! > 1)
    ) {
      if (--counts[found[first]!.place]! === 0) count -= 1;
      first += 1;
    }
    const length = end - found[first]!.start;
    if (best === null || count > best.count || (count === best.count && length < best.length))
      best = { first, last, count, length };
  }
  return best && { words: found.slice(best.first, best.last + 1), count: best.count };
}

/** Words with at most one sign and white space between them are one match. */
function joinMatches(text: string, found: readonly Place[]): Place[] {
  const matches: Place[] = [];
  for (const { start, end } of found) {
    const last = matches.at(-1);
    if (last && start - last.end <= 3 && !text.slice(last.end, start).includes("\n"))
      last.end = end;
    else matches.push({ start, end });
  }
  return matches;
}

/** The sentence or line around the words, or as much of it as an excerpt holds. */
function excerptRange(text: string, from: number, to: number): Place {
  const least = Math.max(0, from - around.before),
    most = Math.min(text.length, to + around.after);
  let start = from,
    end = to;
  while (start > least && !sentenceEnd.test(text[start - 1]!)) start -= 1;
  while (end < most && !sentenceEnd.test(text[end]!)) end += 1;
  // A full stop belongs to its sentence.
  if (end < most && text[end] !== "\n") end += 1;
  // Cut between words.
  if (start === least && start > 0) start = wordAfter(text, start, from);
  if (end === most && end < text.length) end = wordBefore(text, end, to);
  while (start < from && /\s/u.test(text[start]!)) start += 1;
  return { start, end };
}

function wordAfter(text: string, start: number, limit: number): number {
  const space = text.slice(start, limit).search(/\s/u);
  return space < 0 ? limit : start + space;
}

function wordBefore(text: string, end: number, limit: number): number {
  for (let at = end; at > limit; at -= 1) if (/\s/u.test(text[at]!)) return at;
  return limit;
}
