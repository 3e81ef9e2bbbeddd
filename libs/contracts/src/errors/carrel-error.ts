import {
  errorCatalogue,
  isErrorCode,
  type CodeParams,
  type CodeWithoutParams,
  type ErrorCode,
} from "./catalogue.ts";
import {
  isRetryable,
  type ErrorDefinition,
  type ErrorKind,
  type ErrorParams,
} from "./error-definition.ts";
import { renderFault, type Fault } from "./fault.ts";

export interface ErrorOptions {
  /** Seconds to wait before trying again. */
  retryAfter?: number;
  cause?: unknown;
}

type Arguments =
  | [code: CodeWithoutParams, params?: Record<never, never>, options?: ErrorOptions]
  | {
      [Code in keyof CodeParams]: [code: Code, params: CodeParams[Code], options?: ErrorOptions];
    }[keyof CodeParams];

/**
 * Thrown by handlers, by code that calls repositories and by clients. Its code and parameters reach
 * the user, so a parameter must never contain a secret or a path on the server.
 */
export class CarrelError extends Error {
  override readonly name = "CarrelError";
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly params: ErrorParams;
  readonly retryAfter: number | undefined;
  /**
   * Whether the same call may succeed later; jobs back off if true and fail immediately if false.
   */
  readonly isRetryable: boolean;
  constructor(...[code, params = {}, options = {}]: Arguments) {
    const definition: ErrorDefinition = errorCatalogue[code];
    super(renderFault({ code, params }), { cause: options.cause });
    this.code = code;
    this.kind = definition.kind;
    this.params = params;
    this.retryAfter = options.retryAfter;
    this.isRetryable = isRetryable(definition);
  }

  toFault(): Fault {
    return {
      code: this.code,
      ...(Object.keys(this.params).length > 0 && { params: this.params }),
      ...(this.retryAfter !== undefined && { retryAfter: this.retryAfter }),
    };
  }

  /** A code that only another version knows becomes `request.failed`. */
  static fromFault({ code, params, retryAfter }: Fault, cause?: unknown): CarrelError {
    const options: ErrorOptions = {
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(cause === undefined ? {} : { cause }),
    };
    return isErrorCode(code)
      ? new CarrelError(...([code, params ?? {}, options] as Arguments))
      : new CarrelError("request.failed", {}, options);
  }
}
