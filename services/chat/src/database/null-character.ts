/* PostgreSQL's text cannot hold U+0000, and a query with one fails. */

/** For text that is stored: people and models do not miss it. */
export function stripNullCharacters(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** For text that is looked up: nothing stored can match it. */
export function hasNullCharacter(text: string): boolean {
  return text.includes("\0");
}
