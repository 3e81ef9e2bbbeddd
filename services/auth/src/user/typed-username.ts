/**
 * A user name as it was typed into a login form, in the form in which names are kept; null for what
 * can be nobody's.
 */
export function typedUsername(typed: string | undefined): string | null {
  const name = (typed ?? "").trim().toLowerCase();
  // PostgreSQL takes no NUL, and no name has control characters or half characters.
  return name === "" || /[\p{Cc}\p{Cs}]/u.test(name) ? null : name;
}

/** For the event log, which keeps no control characters. */
export const printableName = (typed: string | undefined): string =>
  (typed ?? "").replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd").slice(0, 64);
