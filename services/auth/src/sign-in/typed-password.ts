/**
 * A code behind a password and a space: six digits, or a recovery code (a UUID, with or without
 * dashes).
 */
const withCode = /^(.+) ([0-9]{6}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})$/isu;

/**
 * What a client's password field may mean, most likely first: clients without a field for the code
 * send it after the
 * password and a space. How many there are depends on the text alone, so the time of checking them
 * tells nothing.
 */
export function readTypedPassword(
  password: string,
  code: string | undefined,
): { password: string; code: string | null }[] {
  const given = (code ?? "").trim();
  const whole = { password, code: given === "" ? null : given };
  const [, before, behind] = given === "" ? (withCode.exec(password) ?? []) : [];
  return before === undefined || behind === undefined
    ? [whole]
    : [whole, { password: before, code: behind }];
}
