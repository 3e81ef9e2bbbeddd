import { hash } from "node:crypto";
import type { Operation, Scope } from "@carrel/contracts";
import { context, nextTraceparent } from "@carrel/observability";
import type { RequestHead } from "./envelope.ts";

export interface RequestOptions {
  scope: Scope;
  /**
   * Epoch ms; defaults to now plus the operation's `timeoutMs`, capped at the deadline of the
   * surrounding work.
   */
  deadline?: number;
  idempotencyKey?: string;
}

/** Builds a request's head; deadline, request ID and trace continue those of the surrounding work. */
export function writeHead(
  id: string,
  replyTo: string,
  request: { operation: Operation; body: string; options: RequestOptions },
): RequestHead {
  const { operation, body, options } = request;
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
    idempotencyKey: options.idempotencyKey ?? nestedKey(operation, body) ?? id,
  };
}

/**
 * Derives idempotency keys for keyed requests nested in a keyed handler or a job. They depend on
 * the outer key and the input: a second delivery produces the same keys, and a run that takes
 * another path never gets the result of a different input.
 */
function nestedKey(operation: Operation, body: string): string | null {
  const work = context.get();
  if (operation.idempotency !== "keyed" || !work?.idempotencyKey) return null;
  const name = `${operation.name}/${hash("sha256", body, "base64url").slice(0, 22)}`;
  work.nestedKeys ??= new Map();
  const count = (work.nestedKeys.get(name) ?? 0) + 1;
  work.nestedKeys.set(name, count);
  return `${work.idempotencyKey}/${name}/${count}`;
}
