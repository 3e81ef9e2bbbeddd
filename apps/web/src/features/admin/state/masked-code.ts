/**
 * A code or key as lists show it: only its last four characters are readable. The server masks
 * codes that can't be copied, and says why after a space.
 */
export const maskCode = (code: string): string =>
  code.split(" ", 1)[0]!.replaceAll(/[0-9A-Z](?=.{4})/g, "*");

export const isMasked = (code: string): boolean => code.includes("*");
