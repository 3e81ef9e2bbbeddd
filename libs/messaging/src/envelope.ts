import { hash } from "node:crypto";
import { scopeSchema, type Fault, type Operation, type Scope } from "@carrel/contracts";
import { context, nextTraceparent } from "@carrel/observability";
import type { RequestHandler } from "./handle.ts";
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
export const queueFull: Fault = { code: "request.queue-full", retryAfter: 1 };

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

export interface RequestOptions {
  scope: Scope;
  /**
   * Epoch ms; defaults to now plus the operation's `timeoutMs`, capped at the deadline of the
   * surrounding work.
   */
  deadline?: number;
  idempotencyKey?: string;
}

/**
 * Builds a request's head; deadline, request ID and trace continue those of the surrounding work.
 */
export function writeHead(
  { id, replyTo }: { id: string; replyTo: string },
  operation: Operation,
  input: unknown,
  options: RequestOptions,
): RequestHead {
  const work = context.get();
  return {
    id,
    contract: operation.name,
    replyTo,
    deadline: Math.min(
      options.deadline ?? Date.now() + operation.timeoutMs,
      work?.deadline ?? Infinity,
    ),
    scope: options.scope,
    requestId: work?.requestId ?? id,
    traceparent: nextTraceparent(work?.traceparent),
    idempotencyKey: options.idempotencyKey ?? nestedKey(operation, input) ?? id,
  };
}

/**
 * Derives idempotency keys for keyed requests nested in a keyed handler or a job. They depend on
 * the outer key and the input: a second delivery produces the same keys, and a run that takes
 * another path never gets the result of a different input.
 */
function nestedKey(operation: Operation, input: unknown): string | null {
  const work = context.get();
  if (operation.idempotency !== "keyed" || !work?.idempotencyKey) return null;
  const digest = hash("sha256", JSON.stringify(input), "base64url").slice(0, 22);
  const name = `${operation.name}/${digest}`;
  work.nestedKeys ??= new Map();
  const count = (work.nestedKeys.get(name) ?? 0) + 1;
  work.nestedKeys.set(name, count);
  return `${work.idempotencyKey}/${name}/${count}`;
}

/** The caller's name in logs and traces. */
export const actorOf = ({ scope: { principal } }: RequestHead): string =>
  principal.userId === null ? principal.kind : `${principal.kind}:${principal.userId}`;

interface OpenedRequest {
  head: RequestHead;
  body: string;
  handler: RequestHandler;
}

/** A request from this instance that this version of the service can't run. */
interface UnknownRequest {
  fault: "operation" | "scope";
  head: RequestHead;
}

/**
 * Parses a request from the fields of its entry. Returns "unsealed" if it is incomplete or not
 * sealed by this instance, "operation" or "scope" if this version of the service doesn't know the
 * operation or the form of its scope.
 */
export function openRequest(
  fields: readonly string[],
  cipher: MessageCipher,
  handlers: ReadonlyMap<string, RequestHandler>,
): OpenedRequest | { fault: "unsealed" } | UnknownRequest {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2)
    values.set(fields[index]!, fields[index + 1]!);
  const [headText, sealed] = [values.get("h"), values.get("b")];
  if (headText === undefined || sealed === undefined) return { fault: "unsealed" };
  const body = cipher.open("request", headText, sealed);
  if (body === null) return { fault: "unsealed" };
  const head = JSON.parse(headText) as RequestHead;
  const handler = handlers.get(head.contract);
  if (handler === undefined) return { fault: "operation", head };
  return scopeSchema.safeParse(head.scope).success
    ? { head, body, handler }
    : { fault: "scope", head };
}

export const refusalOf = ({ fault, head }: UnknownRequest): Fault =>
  fault === "operation"
    ? { code: "request.no-handler", params: { operation: head.contract } }
    : { code: "request.scope-unknown" };

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
