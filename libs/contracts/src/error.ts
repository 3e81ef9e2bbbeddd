/**
 * Every failure that crosses a process boundary carries one of these codes;
 * `apps/gateway/src/http/error-map.ts` maps them to HTTP, and an operation may override status and
 * body for a code (`Operation.errors`).
 */
export const errorCodes = [
  "BAD_INPUT",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  /** An invalid API or extension key. */
  "KEY_REFUSED",
  /** Disabled by the administrator or by the mode of the instance. */
  "DISABLED",
  /** Rate limited; `details.retryAfter` is in seconds. */
  "TOO_MANY_ATTEMPTS",
  "NOT_FOUND",
  "WORKSPACE_NOT_FOUND",
  "THREAD_NOT_FOUND",
  "GENERATION_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "CONFLICT",
  "PASSWORD_WRONG",
  "PASSWORD_NOT_SET",
  "SETTING_REFUSED",
  "TOO_LARGE",
  "UNSUPPORTED",
  "DOCUMENT_UNREADABLE",
  "LINK_REFUSED",
  "LINK_UNREACHABLE",
  "PROVIDER_FAILED",
  "BUSY",
  "TIMEOUT",
  "SERVICE_LOST",
  "UNAVAILABLE",
  "INTERNAL",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Thrown by handlers, by code that calls repositories and by clients; `message` is shown to users,
 * so it must never contain a secret or a path.
 */
export class CarrelError extends Error {
  override readonly name = "CarrelError";
  readonly code: ErrorCode;
  /** Small, JSON-safe facts for the client (field errors, the reason for a refusal). */
  readonly details: Record<string, unknown> | undefined;
  /**
   * Whether the same call may succeed later unchanged; jobs back off if true and fail immediately
   * if false.
   */
  readonly isRetryable: boolean;
  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; isRetryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.isRetryable =
      options.isRetryable ??
      ["BUSY", "TOO_MANY_ATTEMPTS", "TIMEOUT", "SERVICE_LOST", "UNAVAILABLE", "INTERNAL"].includes(
        code,
      );
  }
}
