/**
 * A code after a password and a space: six digits, or a recovery code (a UUID, with or without
 * dashes).
 */
const withCode = /^(.+) ([0-9]{6}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})$/isu;

/**
 * Possible readings of a client's password field, most likely first: clients without a code field
 * append it to the password after a space. The number of readings depends only on the text, so
 * checking them all reveals nothing through timing.
 */
export function readTypedPassword(
  password: string,
  code: string | undefined,
): { password: string; code: string | null }[] {
  const separateCode = (code ?? "").trim();
  const whole = { password, code: separateCode === "" ? null : separateCode };
  const [, before, behind] = separateCode === "" ? (withCode.exec(password) ?? []) : [];
  return before === undefined || behind === undefined
    ? [whole]
    : [whole, { password: before, code: behind }];
}
