import { createHmac } from "node:crypto";

/**
 * One-time code of RFC 6238 (SHA-1, six digits, 30 s) for a base32 secret, as an authenticator app
 * computes it.
 */
export function oneTimeCode(secret: string, at = Date.now()): string {
  const bits = [...secret.replace(/[=\s]/g, "")]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac("sha1", key).update(step).digest();
  const offset = mac.at(-1)! & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}
