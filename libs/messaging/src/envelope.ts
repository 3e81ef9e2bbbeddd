import type { Fault, Scope } from "@carrel/contracts";
import type { MessageCipher } from "./message-cipher.ts";

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

/** Head and sealed body on one line each: JSON never contains a raw line break. */
export const joinReply = (cipher: MessageCipher, head: string, body: string): string =>
  `${head}\n${cipher.seal("reply", head, body)}`;

/** Returns null unless it was sealed by this instance. */
export function splitReply(
  cipher: MessageCipher,
  message: string,
): { head: ReplyHead; body: string } | null {
  const end = message.indexOf("\n");
  if (end < 0) return null;
  const head = message.slice(0, end);
  const body = cipher.open("reply", head, message.slice(end + 1));
  return body === null ? null : { head: JSON.parse(head) as ReplyHead, body };
}

/** The caller's name in logs and traces. */
export const actorOf = ({ scope: { principal } }: RequestHead): string =>
  principal.userId === null ? principal.kind : `${principal.kind}:${principal.userId}`;
