import { CarrelError, clipText } from "@carrel/contracts";

/** Normalises a user name typed into a login form; null if it cannot belong to any user. */
export function typedUsername(typed: string | undefined): string | null {
  const name = (typed ?? "").trim().toLowerCase();
  // PostgreSQL cannot store NUL, and no name contains control characters or lone surrogates.
  return name === "" || /[\p{Cc}\p{Cs}]/u.test(name) ? null : name;
}

/** For the event log, which stores no control characters. */
export const printableName = (typed: string | undefined): string =>
  clipText((typed ?? "").replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd"), 64);

const shortest = 2;
const longest = 64;

/**
 * Why a user name is refused, or null: 2 to 64 lower-case letters,
 * digits, underscores and hyphens. Names from an OpenID provider may be email addresses, so `.` and
 * `@` are allowed too. The rule applies when names are set or changed; existing names from
 * elsewhere are kept.
 */
export function refuseUsername(
  name: string,
  options: { fromOpenId?: boolean } = {},
): CarrelError | null {
  if (name.length < shortest) return new CarrelError("user.name-too-short", { limit: shortest });
  if (name.length > longest) return new CarrelError("user.name-too-long", { limit: longest });
  if (options.fromOpenId === true)
    return /^[a-z0-9._@-]+$/.test(name) ? null : new CarrelError("user.name-characters-openid");
  return /^[a-z0-9_-]+$/.test(name) ? null : new CarrelError("user.name-characters");
}
