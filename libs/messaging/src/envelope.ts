import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { Fault, Scope } from "@carrel/contracts";

/**
 * Maximum size of a request body in bytes; larger inputs go to the blob store and are passed by
 * key.
 */
export const maximumRequestBytes = 256 * 1024;
/** Maximum size of a reply body in bytes; lists are paged. */
export const maximumReplyBytes = 1024 * 1024;
/** Above this number of requests waiting for one service, new ones are rejected. */
export const waitingLimit = 5_000;

/** The metadata sent along with a request body. */
export interface RequestHead {
  id: string;
  contract: string;
  /** Channel on which the caller awaits the reply. */
  replyTo: string;
  /** Epoch ms. Assumes that host clocks are within a second of each other (NTP). */
  deadline: number;
  scope: Scope;
  requestId: string;
  traceparent: string;
  idempotencyKey: string;
}

export interface ReplyHead {
  id: string;
  error?: Fault;
}

/**
 * Signs and verifies everything that crosses Redis, so that access to Redis does not imply admin
 * rights. The signature covers the exact text of head (contract, scope, deadline, …) and body, so
 * no canonical encoding is needed.
 */
export class Signer {
  // A KeyObject built once: signing from a Buffer takes five times as long (11 µs instead of 2).
  readonly #key: KeyObject;
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }
  sign(kind: "request" | "reply", head: string, body: string): string {
    return createHmac("sha256", this.#key)
      .update(`${kind}\n${head.length}\n${head}\n${body}`)
      .digest("base64url");
  }
  verify(kind: "request" | "reply", head: string, body: string, signature: string): boolean {
    const [given, wanted] = [Buffer.from(signature), Buffer.from(this.sign(kind, head, body))];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

/** Signature, head and body on one line each: JSON never contains a raw line break. */
export const joinReply = (signer: Signer, head: string, body: string): string =>
  `${signer.sign("reply", head, body)}\n${head}\n${body}`;

/** Returns null when the signature is wrong. */
export function splitReply(
  signer: Signer,
  message: string,
): { head: ReplyHead; body: string } | null {
  const first = message.indexOf("\n");
  const second = message.indexOf("\n", first + 1);
  if (first < 0 || second < 0) return null;
  const [head, body] = [message.slice(first + 1, second), message.slice(second + 1)];
  return signer.verify("reply", head, body, message.slice(0, first))
    ? { head: JSON.parse(head) as ReplyHead, body }
    : null;
}

/** The caller's name in logs and traces. */
export const actorOf = ({ scope: { principal } }: RequestHead): string =>
  principal.userId === null ? principal.kind : `${principal.kind}:${principal.userId}`;
