import type { CarrelError, Fault, Operation } from "@carrel/contracts";

/**
 * Returns null for exceptions other than `CarrelError`: bugs or lost backends, which are logged.
 * Compares names, because the class may come from a second copy of the module.
 */
export const toFault = (error: unknown): Fault | null =>
  error instanceof Error && error.name === "CarrelError" ? (error as CarrelError).toFault() : null;

/** pg-pool had no connection in time because all of them are in use. */
const poolExhausted = "timeout exceeded when trying to connect";
/** PostgreSQL's codes for a cancelled statement (usually its time limit) and too many clients. */
const cancelled = "57014";
const tooManyClients = "53300";

/** A connection that couldn't be made, so nothing has been sent over it. */
const unconnected = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "57P03", // starting up, shutting down or recovering
]);
const unconnectedMessages = new Set([
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
]);
/** A connection that broke while it was in use. */
const broken = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "57P01", // the server is shutting down
  "57P02", // another of its processes crashed
  "08000",
  "08003",
  "08006",
]);
const brokenMessages = new Set(["Connection terminated", "Connection terminated unexpectedly"]);

/**
 * Recognises a database that is down or overloaded, which is neither a bug nor the caller's fault:
 * the request may be repeated. null for any other error. An operation that must not run twice
 * learns that it may already have taken effect.
 */
export function toUnavailable(
  error: unknown,
  idempotency: Operation["idempotency"] = "natural",
): Fault | null {
  if (!(error instanceof Error)) return null;
  const { message } = error;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (message === poolExhausted || code === tooManyClients) return { code: "request.queue-full" };
  if (code === cancelled) return { code: "request.timed-out" };
  // A missing socket file: ENOENT is also the code of other missing files.
  if (unconnected.has(code) || unconnectedMessages.has(message) || syscall === "connect")
    return { code: "request.unavailable" };
  if (broken.has(code) || brokenMessages.has(message))
    return { code: idempotency === "none" ? "request.connection-lost" : "request.unavailable" };
  return null;
}
