const shortest = 2;
const longest = 64;
/** The admin who is made when an instance gets user accounts (specification 1, section 5). */
const shortestOfFirstAdmin = 6;

/**
 * Why a user name is refused, in words for the person, or null when it is fine: 2 to 64 lower-case
 * letters, digits,
 * underscores and hyphens. Names that an OpenID provider brings may be e-mail addresses, so they
 * have `.` and `@` too.
 * The rule is for names that are given or changed; who has another name from elsewhere keeps it.
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
