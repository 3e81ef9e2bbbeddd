import { Catch, type ExceptionFilter } from "@nestjs/common";
import { throwError, type Observable } from "rxjs";
import type { CarrelError, Fault } from "@carrel/contracts";

/**
 * Passes a handler's exception through unchanged: the request server maps it to a code and logs
 * unknown errors, both of which Nest's own filter would prevent.
 */
@Catch()
export class RequestErrorFilter implements ExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}

/**
 * Returns null for exceptions other than `CarrelError`: bugs or lost backends, which are logged and
 * answered as `request.failed`. Compares names, because the class may come from a second copy of
 * the module.
 */
export const toFault = (error: unknown): Fault | null =>
  error instanceof Error && error.name === "CarrelError" ? (error as CarrelError).toFault() : null;

/** pg-pool's errors when it had no connection in time; they have no code. */
const noConnection = new Set([
  "timeout exceeded when trying to connect",
  "Connection terminated due to connection timeout",
]);
/** PostgreSQL's codes for a cancelled statement (usually its time limit) and too many clients. */
const cancelled = "57014";
const tooManyClients = "53300";

/**
 * An overloaded database, which is neither a bug nor the caller's fault: the request may be
 * repeated. null for any other error.
 */
export function toOverload(error: unknown): Fault | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  if (noConnection.has(error.message) || code === tooManyClients)
    return { code: "request.queue-full" };
  return code === cancelled ? { code: "request.timed-out" } : null;
}
