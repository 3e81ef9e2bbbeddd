const shortest = 2;
const longest = 64;
/** The admin created when user accounts are enabled (specification 1, section 5). */
const shortestOfFirstAdmin = 6;

/**
 * Why a user name is refused, as a message for the user, or null: 2 to 64 lower-case letters,
 * digits, underscores and hyphens. Names from an OpenID provider may be email addresses, so `.` and
 * `@` are allowed too. The rule applies when names are set or changed; existing names from
 * elsewhere are kept.
 */
export function refuseUsername(
  name: string,
  options: { firstAdmin?: boolean; fromOpenId?: boolean } = {},
): string | null {
  const least = options.firstAdmin === true ? shortestOfFirstAdmin : shortest;
  if (name.length < least) return `Username must be at least ${least} characters`;
  if (name.length > longest) return `Username cannot be longer than ${longest} characters`;
  if (options.fromOpenId === true)
    return /^[a-z0-9._@-]+$/.test(name)
      ? null
      : "Username must only contain lowercase letters, numbers, periods, at signs, underscores, and hyphens with no spaces";
  return /^[a-z0-9_-]+$/.test(name)
    ? null
    : "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces";
}
