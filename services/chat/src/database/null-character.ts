/* PostgreSQL's text type can't hold U+0000, and a query containing one fails. */

/** For text to be stored: nobody misses the character. */
export function stripNullCharacters(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** For text to be looked up: nothing stored can match it. */
export function hasNullCharacter(text: string): boolean {
  return text.includes("\0");
}
