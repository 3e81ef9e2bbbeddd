/**
 * refused: the address is not public, or a port or redirect is not allowed; unreachable: no
 * response, a broken one or an unknown name; bad-url: not an http(s) address.
 */
export type EgressReason = "refused" | "unreachable" | "too-large" | "timeout" | "bad-url";

/** The only error of the content client; `message` is user-facing. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly reason: EgressReason;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  constructor(reason: EgressReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.isRetryable = reason === "unreachable" || reason === "timeout";
  }
}
