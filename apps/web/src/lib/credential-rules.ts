/**
 * Why a name or password that somebody is to have is not accepted; the key of its sentence in the
 * texts (`common:credential`).
 */
export type CredentialFault =
  | "nameShort"
  | "nameShortFirstAdmin"
  | "nameLong"
  | "nameCharacters"
  | "passwordShort"
  | "passwordLong"
  | "passwordCharacters"
  | "passwordBlank";

const longestName = 64;
const longestPassword = 250;

/**
 * Specification 1, section 5: 2 to 64 lowercase letters, digits, underscores and hyphens; the first
 * admin's has six at least. The server checks the same.
 */
export function nameFault(
  name: string,
  options: { firstAdmin?: boolean } = {},
): CredentialFault | null {
  if (options.firstAdmin && name.length < 6) return "nameShortFirstAdmin";
  if (name.length < 2) return "nameShort";
  if (name.length > longestName) return "nameLong";
  return /^[a-z0-9_-]+$/.test(name) ? null : "nameCharacters";
}

/**
 * Eight characters or more that can be typed. An instance may ask for more; its words are shown
 * then.
 */
export function passwordFault(password: string): CredentialFault | null {
  const length = [...password].length;
  if (length < 8) return "passwordShort";
  if (length > longestPassword) return "passwordLong";
  if (/[\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u.test(password)) return "passwordCharacters";
  return password.trim() === "" ? "passwordBlank" : null;
}

/** Letters and digits that are not mistaken for each other on paper. */
const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A password of 20 characters (115 bits) from the browser's own source of chance. */
export function makePassword(length = 20): string {
  const characters: string[] = [];
  // above it a remainder would favour the first letters
  const limit = 256 - (256 % alphabet.length);
  while (characters.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2)))
      if (byte < limit && characters.length < length)
        characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return characters.join("");
}
