/** Number of readable characters left in a masked code, enough to tell codes apart in a list. */
const shown = 4;

export const hintOf = (code: string): string => code.slice(-shown);

/** Why the code itself isn't shown; people read it where an existing client copies it. */
type MaskReason = "shown only when created" | "only admins can copy it" | "no longer valid";

/** Masks a code of `randomCode()` for lists: its format with only the last four characters. */
export const maskCode = (hint: string, reason: MaskReason): string =>
  `*******-*******-*******-***${hint} (${reason})`;
