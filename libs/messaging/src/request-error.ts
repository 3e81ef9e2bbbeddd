import { Catch, type ExceptionFilter } from "@nestjs/common";
import { throwError, type Observable } from "rxjs";
import { CarrelError, errorCodes, type ErrorCode } from "@carrel/contracts";
import type { WireError } from "./envelope.ts";

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

const known = new Set<string>(errorCodes);

/**
 * Returns null for exceptions other than `CarrelError`: bugs or lost backends, which are logged and
 * answered as INTERNAL. Compares names, because the class may come from a second copy of the
 * module.
 */
export function toWireError(error: unknown): WireError | null {
  if (
    !(error instanceof Error) ||
    error.name !== "CarrelError" ||
    !("code" in error) ||
    !known.has(String(error.code))
  )
    return null;
  const { code, message, details } = error as CarrelError;
  return { code: code as ErrorCode, message, ...(details ? { details } : {}) };
}

export const fromWireError = (error: WireError): CarrelError =>
  new CarrelError(
    known.has(error.code) ? error.code : "INTERNAL",
    error.message,
    error.details ? { details: error.details } : {},
  );

export const internalError: WireError = {
  code: "INTERNAL",
  message: "Something went wrong on our side. The details are in the log.",
};
