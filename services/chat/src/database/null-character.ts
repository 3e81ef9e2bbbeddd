/* PostgreSQL's text type can't hold U+0000, and a query containing one fails. */

/** For text to be stored: drops the character, which has no meaning. */
export function stripNullCharacters(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** For search text: with the character in it, nothing stored can match. */
export function hasNullCharacter(text: string): boolean {
  return text.includes("\0");
}
