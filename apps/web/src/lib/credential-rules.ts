/** Why a new name or password is not accepted; the key of its message in `common:credential`. */
export type CredentialFault =
  | "nameShort"
  | "nameShortFirstAdmin"
  | "nameLong"
  | "nameCharacters"
  | "passwordShort"
  | "passwordLong"
  | "passwordCharacters"
  | "passwordBlank";

const maxNameLength = 64;
const maxPasswordLength = 250;

/**
 * Specification 1, section 5: 2 to 64 lowercase letters, digits, underscores and hyphens, which the
 * server checks, too; at least six for the first admin, which only our app asks for.
 */
export function nameFault(
  name: string,
  options: { firstAdmin?: boolean } = {},
): CredentialFault | null {
  if (options.firstAdmin && name.length < 6) return "nameShortFirstAdmin";
  if (name.length < 2) return "nameShort";
  if (name.length > maxNameLength) return "nameLong";
  return /^[a-z0-9_-]+$/.test(name) ? null : "nameCharacters";
}

/**
 * At least eight characters that can be typed. An instance may require more; the server's message
 * is shown then.
 */
export function passwordFault(password: string): CredentialFault | null {
  const length = [...password].length;
  if (length < 8) return "passwordShort";
  if (length > maxPasswordLength) return "passwordLong";
  if (/[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u.test(password)) return "passwordCharacters";
  return password.trim() === "" ? "passwordBlank" : null;
}

/** Excludes characters that are easily confused on paper. */
const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A random password; the default 20 characters carry 115 bits. */
export function makePassword(length = 20): string {
  const characters: string[] = [];
  // Above this, the remainder would favour the first characters.
  const limit = 256 - (256 % alphabet.length);
  while (characters.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2)))
      if (byte < limit && characters.length < length)
        characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return characters.join("");
}
