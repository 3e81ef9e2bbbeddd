import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * What a signed link to an original grants: one blob, under this name and type, requested by one
 * user.
 */
export interface BlobLink {
  /** Key in the blob store. */
  key: string;
  filename: string;
  mime: string;
  /** null: the instance's own session. */
  userId: number | null;
}

/** Lifetime of a link to an original, in ms (docs/decisions/network-security.md). */
export const linkLifetimeMs = 60_000;

/**
 * Signed, short-lived tokens for originals: `<base64url JSON>.<base64url HMAC-SHA-256>`, with
 * deriveKey(secret, 'links') as key. Signs with the first key and accepts any.
 */
export class LinkTokens {
  private readonly keys: readonly [Buffer, ...Buffer[]];
  constructor(...keys: [Buffer, ...Buffer[]]) {
    this.keys = keys;
  }

  sign({ key, filename, mime, userId }: BlobLink, expiresAt = Date.now() + linkLifetimeMs): string {
    const body = Buffer.from(
      JSON.stringify([key, filename, mime, userId, Math.ceil(expiresAt / 1000)]),
    ).toString("base64url");
    return `${body}.${mac(this.keys[0], body).toString("base64url")}`;
  }

  /**
   * Returns the signed link, or null if the token was changed, is malformed or has expired (`now`
   * in epoch ms).
   */
  read(token: string, now = Date.now()): BlobLink | null {
    const [body, signature, ...rest] = token.split(".");
    if (!body || !signature || rest.length > 0) return null;
    const received = Buffer.from(signature, "base64url");
    const isOurs = this.keys.some((key) => {
      const expected = mac(key, body);
      return received.length === expected.length && timingSafeEqual(received, expected);
    });
    if (!isOurs) return null;
    // Signed by us, so its shape is known.
    const [key, filename, mime, userId, expiresAt] = JSON.parse(
      Buffer.from(body, "base64url").toString("utf8"),
    ) as [string, string, string, number | null, number];
    return expiresAt * 1000 > now ? { key, filename, mime, userId } : null;
  }
}

const mac = (key: Buffer, body: string): Buffer => createHmac("sha256", key).update(body).digest();
