import { CarrelError } from "@carrel/contracts";

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
