/* PostgreSQL's text type can't hold U+0000, and a query containing one fails. */

/** For text to be stored: drops the character, which has no meaning. */
export function stripNullCharacters(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/**
 * A value as PostgreSQL's JSON can hold it, and returns it: without U+0000 and half surrogate pairs
 * in its texts, and without what is undefined.
 */
export const stripDeep = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "string" ? stripNullCharacters(part).toWellFormed() : part,
    ),
  ) as T;

/** For search text: with the character in it, nothing stored can match. */
export function hasNullCharacter(text: string): boolean {
  return text.includes("\0");
}
