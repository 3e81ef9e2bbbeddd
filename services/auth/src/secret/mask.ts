/**
 * How many characters of a code are kept readable, so that a person tells one from another in a
 * list.
 */
const shown = 4;

export const hintOf = (code: string): string => code.slice(-shown);

/** A code of `randomCode()` as lists show it: its form, and of its characters the last four. */
export const maskCode = (hint: string): string => `*******-*******-*******-***${hint}`;
