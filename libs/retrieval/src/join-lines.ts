const wordEnd = /\p{L}[-\u2010\u00ad]$/u;
/** "header: value", the format of CSV rows. */
const record = /^[^.!?]{1,60}: \S/;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Lines of wrapped prose are nearly as long as the widest one. */
const wrappedShare = 0.7;
const minWidth = 40;
/** A word with a letter in upper case only: notices and signs are often set in capitals. */
const capitals = /^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*$/u;

/** Whether a line of a paragraph, `width` characters at its widest, goes on in the next one. */
export function continuesIn(line: string, next: string, width: number): boolean {
  const [end, start] = [line.trimEnd(), next.trimStart()];
  if (wordEnd.test(end) && /^\p{L}/u.test(start)) return true;
  if (/^\p{Ll}/u.test(start)) return true;
  if (capitals.test(end) && capitals.test(start)) return true;
  return width >= minWidth && end.length >= wrappedShare * width;
}

/**
 * A quote on one line, with words that were hyphenated at a line's end put together again. Rows of
 * "header: value" lines keep their lines.
 */
export function joinLines(text: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return text;
  if (lines.every((line) => record.test(line))) return text;
  return lines.reduce((joined, line) => {
    const next = line.trim();
    const before = joined.trimEnd();
    if (before === "" || next === "") return before + next;
    if (wordEnd.test(before) && /^\p{Ll}/u.test(next))
      return keepsHyphen(text, before, next) ? before + next : before.slice(0, -1) + next;
    return unspaced.test(before.at(-1)!) && unspaced.test(next[0]!)
      ? before + next
      : `${before} ${next}`;
  });
}

/** Whether the text also contains the word with its hyphen inside a line ("low-speed"). */
function keepsHyphen(text: string, before: string, next: string): boolean {
  const [first] = /\p{L}+(?=.$)/u.exec(before) ?? [""];
  const [last] = /^\p{Ll}+/u.exec(next)!;
  return text.includes(`${first}-${last}`);
}
