import { Catch, type ExceptionFilter } from "@nestjs/common";
import { throwError, type Observable } from "rxjs";
import { CarrelError, errorCodes, type ErrorCode } from "@carrel/contracts";
import type { WireError } from "./envelope.ts";

/**
 * Hands a handler's exception on as it is: the request server turns it into a code and logs what is
 * unknown. Nest's own filter would hide both.
 */
@Catch()
export class RequestErrorFilter implements ExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}

const known = new Set<string>(errorCodes);

/**
 * null for exceptions that are no `CarrelError`: those are bugs or lost backends, logged and
 * answered as INTERNAL. The class may come from a second copy of the module, so the name counts
 * too.
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
