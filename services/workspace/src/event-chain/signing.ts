import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";

/** One entry as it is hashed. Hashes are lower-case hex. */
export interface ChainedEvent {
  /** 1, 2, 3 … without gaps, in the order in which entries were committed. */
  sequence: number;
  previousHash: string;
  hash: string;
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  occurredAt: string;
  userId: number | null;
  event: string;
  /** JSON exactly as PostgreSQL prints it; hashed as text, so that nobody has to agree on a form. */
  metadata: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** The hash that the first entry follows; ties the chain to its instance. */
export const genesisHash = (instance: string): string => sha256(`carrel-event-log-v1\n${instance}`);

/**
 * The canonical form (docs/decisions/audit.md), which the database's `workspace.event_hash` builds
 * too. The length keeps a line break in the event's name from looking like the next field.
 */
const canonicalForm = (entry: ChainedEvent): string =>
  [
    "carrel-event-v1",
    entry.sequence,
    entry.previousHash,
    entry.id,
    entry.occurredAt,
    entry.userId ?? "-",
    Buffer.byteLength(entry.event),
    entry.event,
    entry.metadata,
  ].join("\n");

export const eventHash = (entry: ChainedEvent): string => sha256(canonicalForm(entry));

/** An Ed25519 public key: base64 of its SPKI form, and the SHA-256 of that form in hex. */
export interface PublicKey {
  fingerprint: string;
  publicKey: string;
}

export const fingerprintOf = (publicKey: string): string =>
  createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex");

/** `privateKey`: base64 of its PKCS #8 form. */
export function createSigningKey(): PublicKey & { privateKey: string } {
  const pair = generateKeyPairSync("ed25519");
  const publicKey = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64");
  return {
    fingerprint: fingerprintOf(publicKey),
    publicKey,
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
  };
}

/** Returns base64. */
export const signText = (privateKey: string, text: string): string =>
  sign(
    null,
    Buffer.from(text),
    createPrivateKey({ key: Buffer.from(privateKey, "base64"), type: "pkcs8", format: "der" }),
  ).toString("base64");

/** Reads an Ed25519 public key in the form above or as PEM; null if it isn't one. */
export function readPublicKey(text: string): PublicKey | null {
  try {
    const key: KeyObject = text.includes("-----BEGIN")
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text.trim(), "base64"), type: "spki", format: "der" });
    if (key.asymmetricKeyType !== "ed25519") return null;
    const publicKey = key.export({ type: "spki", format: "der" }).toString("base64");
    return { fingerprint: fingerprintOf(publicKey), publicKey };
  } catch {
    return null;
  }
}

/** False for a malformed key or signature too. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, "base64"),
      type: "spki",
      format: "der",
    });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
