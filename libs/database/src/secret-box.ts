import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { ValueTransformer } from "typeorm";

/** A stored secret was changed or encrypted with another key; it has to be entered again. */
export class SecretUnreadableError extends Error {
  override readonly name = "SecretUnreadableError";
}

const keyIdOf = (key: Buffer): string =>
  createHash("sha256").update("carrel key id").update(key).digest("hex").slice(0, 8);

/** Matches what a SecretBox sealed, with the key id as its first group, anywhere in a text. */
export const sealedText = /\bv1:([0-9a-f]{8}):[\w-]{16}:[\w-]{22}:[\w-]*/g;

/**
 * AES-256-GCM. Text format `v1:<key id>:<iv>:<tag>:<data>`, parts in base64url; the key id (8 hex
 * digits) identifies the key. Seals with the first key and opens what any of them sealed.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly keyId: string;
  /** Of the keys that it opens with, but doesn't seal with. */
  readonly otherKeyIds: readonly string[];
  constructor(key: Buffer, ...others: Buffer[]) {
    const keys = [key, ...others];
    if (keys.some(({ length }) => length !== 32))
      throw new RangeError("A SecretBox needs a key of 32 bytes");
    this.#key = key;
    this.#keys = new Map(keys.map((each) => [keyIdOf(each), each]));
    this.keyId = keyIdOf(key);
    this.otherKeyIds = [...this.#keys.keys()].filter((id) => id !== this.keyId);
  }
  seal(plain: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv).setAAD(
      Buffer.from(`v1:${this.keyId}`),
    );
    const data = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
    return [
      "v1",
      this.keyId,
      ...[iv, cipher.getAuthTag(), data].map((part) => part.toString("base64url")),
    ].join(":");
  }
  open(sealed: string): string {
    const [version, keyId, iv, tag, data, ...rest] = sealed.split(":");
    if (
      version !== "v1" ||
      iv === undefined ||
      tag === undefined ||
      data === undefined ||
      rest.length > 0
    )
      throw new SecretUnreadableError("Not a sealed secret");
    const key = this.#keys.get(keyId!);
    if (key === undefined) throw new SecretUnreadableError("Sealed under another instance secret");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), {
        authTagLength: 16,
      })
        .setAAD(Buffer.from(`v1:${keyId}`))
        .setAuthTag(Buffer.from(tag, "base64url"));
      return Buffer.concat([
        decipher.update(Buffer.from(data, "base64url")),
        decipher.final(),
      ]).toString("utf8");
    } catch (cause) {
      throw new SecretUnreadableError("The sealed secret was changed", { cause });
    }
  }
}

/**
 * A column encrypted in PostgreSQL and plain in the entity; null stays null. The box is resolved on
 * use, not on declaration.
 */
export function encryptedColumn(box: () => SecretBox): ValueTransformer {
  return {
    to: (plain: string | null | undefined) =>
      plain === null || plain === undefined ? plain : box().seal(plain),
    from: (sealed: string | null | undefined) =>
      sealed === null || sealed === undefined ? sealed : box().open(sealed),
  };
}
