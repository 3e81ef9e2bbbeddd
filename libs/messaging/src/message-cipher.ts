import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";

const maxKeys = 1_000;

type Kind = "request" | "reply" | "pipe" | "stream";

const algorithm = "aes-256-gcm";
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
/** A message: salt, nonce, tag, encrypted body. */
const tagAt = saltBytes + nonceBytes;
const bodyAt = tagAt + tagBytes;
/** Position of the message's number in its nonce; six bytes last a process for millennia. */
const numberAt = nonceBytes - 6;

/**
 * Encrypts the bodies of requests, replies, pipes and streams, which keeps passwords, tokens, keys
 * and what people say out of Redis and its files, and authenticates them together with their heads
 * (contract, scope, deadline, …), so that access to Redis does not imply admin rights.
 *
 * Each process has its own key, derived from the instance's key and a random salt that precedes its
 * messages. So a counter is a safe nonce: no two processes share a key, however many there are, and
 * random nonces would run out after 2³² messages.
 */
export class MessageCipher {
  /** The first seals, any opens. */
  readonly #instanceKeys: readonly Buffer[];
  readonly #salt = randomBytes(saltBytes);
  readonly #key: KeyObject;
  #number = 0;
  /** Keys that another process may use, by salt; the one that opened its last message is first. */
  readonly #keys = new Map<string, KeyObject[]>();

  constructor(instanceKey: Buffer, ...others: Buffer[]) {
    this.#instanceKeys = [instanceKey, ...others];
    this.#key = derive(instanceKey, this.#salt);
  }

  /** Returns the sealed body; `head` stays readable but can't be changed. */
  seal(kind: Kind, head: string, body: string): string {
    const nonce = Buffer.alloc(nonceBytes);
    nonce.writeUIntBE((this.#number += 1), numberAt, nonceBytes - numberAt);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    cipher.setAAD(Buffer.from(`${kind}\n${head}`));
    const sealed = cipher.update(body, "utf8");
    cipher.final();
    return Buffer.concat([this.#salt, nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Returns the body, or null if it was sealed with another key or head, or changed. */
  open(kind: Kind, head: string, text: string): string | null {
    const message = Buffer.from(text, "base64");
    if (message.length < bodyAt) return null;
    const keys = this.#keysOf(message.subarray(0, saltBytes));
    for (const [index, key] of keys.entries()) {
      const body = this.#openWith(key, kind, head, message);
      if (body === null) continue;
      if (index > 0) keys.unshift(...keys.splice(index, 1));
      return body;
    }
    return null;
  }

  #openWith(key: KeyObject, kind: Kind, head: string, message: Buffer): string | null {
    const nonce = message.subarray(saltBytes, tagAt);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(`${kind}\n${head}`));
    decipher.setAuthTag(message.subarray(tagAt, bodyAt));
    try {
      const body = decipher.update(message.subarray(bodyAt));
      decipher.final();
      return body.toString();
    } catch {
      return null;
    }
  }

  #keysOf(salt: Buffer): KeyObject[] {
    const name = salt.toString("base64");
    let keys = this.#keys.get(name);
    if (keys === undefined) {
      keys = this.#instanceKeys.map((key) => derive(key, salt));
      if (this.#keys.size >= maxKeys) this.#keys.clear();
      this.#keys.set(name, keys);
    }
    return keys;
  }
}

function derive(instanceKey: Buffer, salt: Buffer): KeyObject {
  const key = hkdfSync("sha256", instanceKey, salt, "carrel messages aes-256-gcm", 32);
  return createSecretKey(Buffer.from(key));
}
