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
export function continuesIn(line: string, next: string, width: number): boolean {
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
