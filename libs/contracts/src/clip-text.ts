const characters = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Longer than any character people write. Bounds how far to look, however long the text is. */
const longestCharacter = 256;

/** ASCII letters, digits and signs, which never combine with what precedes them. */
const standsAlone = (code: number): boolean => code >= 0x20 && code < 0x7f;

/**
 * The start of a text, at most `most` UTF-16 code units long. It ends at a whole character as
 * people see it (a grapheme cluster: an emoji of several, a letter with its accents), and has no
 * lone surrogates, which PostgreSQL's jsonb refuses.
 */
export function clipText(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  if (most <= 0) return "";
  return text.slice(0, endOfCharacters(text, most)).toWellFormed();
}

/** The last position up to `most` where a character ends. */
function endOfCharacters(text: string, most: number): number {
  let start = most;
  // Go back to where a character is certain to start.
  while (!standsAlone(text.charCodeAt(start)) && start > 0 && most - start < longestCharacter)
    start--;
  if (start === most) return most;
  const window = text.slice(start, most + longestCharacter);
  const { index, segment } = characters.segment(window).containing(most - start)!;
  if (index > 0 || segment.length < longestCharacter) return start + index;
  // A single character that is even longer, such as a letter with hundreds of accents.
  return most - (isLowSurrogate(text.charCodeAt(most)) ? 1 : 0);
}

const isLowSurrogate = (code: number): boolean => (code & 0xfc00) === 0xdc00;
