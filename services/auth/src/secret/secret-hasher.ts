import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { InstanceConfig } from "@carrel/config";
import { SecretBox } from "@carrel/database";
import { CONFIG, keptHashKey } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import { DataSource } from "typeorm";

/** Number of readable characters left in a masked code, enough to distinguish codes in a list. */
const shown = 4;

export const hintOf = (code: string): string => code.slice(-shown);

/** Why the code itself isn't shown; people read it where an existing client copies it. */
type MaskReason = "shown only when created" | "only admins can copy it" | "no longer valid";

/** Masks a code of `randomCode()` for lists: its format with only the last four characters. */
export const maskCode = (hint: string, reason: MaskReason): string =>
  `*******-*******-*******-***${hint} (${reason})`;

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
export class SecretHasher {
  constructor(private readonly key: Buffer) {}

  hash(purpose: SecretPurpose, secret: string): string {
    return createHmac("sha256", this.key).update(`${purpose}\0${secret}`).digest("base64url");
  }

  /** Compares in constant time. */
  matches(purpose: SecretPurpose, secret: string, hash: string): boolean {
    const [actual, expected] = [Buffer.from(this.hash(purpose, secret)), Buffer.from(hash)];
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}

@Module({
  providers: [
    {
      provide: SecretHasher,
      inject: [DataSource, CONFIG, SecretBox],
      useFactory: async (dataSource: DataSource, config: InstanceConfig, box: SecretBox) =>
        new SecretHasher(await keptHashKey(dataSource, { config, box, schema: "auth" })),
    },
  ],
  exports: [SecretHasher],
})
export class SecretModule {}
