import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { deriveKey, instanceSecret, type InstanceConfig } from "@carrel/config";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

/** Purpose of a random secret; the same text hashes differently for each. */
export type SecretPurpose =
  | "developer-key"
  | "extension-key"
  | "recovery-code"
  | "reset-token"
  | "sign-in-token"
  | "invite"
  | "device";
// Crockford's base32: no characters that look alike.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 140 bits in the format existing clients use for keys and invite codes: four groups of seven. */
export function randomCode(): string {
  const characters = [...randomBytes(28)].map((byte) => alphabet[byte & 31]!);
  return [0, 7, 14, 21].map((start) => characters.slice(start, start + 7).join("")).join("-");
}

/** Random secrets are stored as HMAC-SHA-256 under a key of the instance, never in plain text. */
@Injectable()
export class SecretHasher {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: InstanceConfig) {
    this.key = deriveKey(instanceSecret(config), "secrets");
  }

  hash(purpose: SecretPurpose, secret: string): string {
    return createHmac("sha256", this.key).update(`${purpose}\0${secret}`).digest("base64url");
  }

  /** Compares in constant time. */
  matches(purpose: SecretPurpose, secret: string, hash: string): boolean {
    const [actual, expected] = [Buffer.from(this.hash(purpose, secret)), Buffer.from(hash)];
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}
