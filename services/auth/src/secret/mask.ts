/** Number of readable characters left in a masked code, enough to tell codes apart in a list. */
const shown = 4;

export const hintOf = (code: string): string => code.slice(-shown);

/** Masks a code of `randomCode()` for lists: its format with only the last four characters. */
export const maskCode = (hint: string): string => `*******-*******-*******-***${hint}`;
