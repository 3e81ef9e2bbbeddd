import { clipText } from "@carrel/contracts";

/** Normalises a user name typed into a login form; null if it cannot belong to any user. */
export function typedUsername(typed: string | undefined): string | null {
  const name = (typed ?? "").trim().toLowerCase();
  // PostgreSQL cannot store NUL, and no name contains control characters or lone surrogates.
  return name === "" || /[\p{Cc}\p{Cs}]/u.test(name) ? null : name;
}

/** For the event log, which stores no control characters. */
export const printableName = (typed: string | undefined): string =>
  clipText((typed ?? "").replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd"), 64);
