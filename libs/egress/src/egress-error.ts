import { renderFault, type KnownFault } from "@carrel/contracts";

/**
 * refused: the address is not public, or a port or redirect is not allowed; unreachable: no
 * response, a broken one or an unknown name; bad-url: not an http(s) address.
 */
export type EgressReason = "refused" | "unreachable" | "too-large" | "timeout" | "bad-url";

/** The only error of the content client; `fault` says why. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  constructor(
    readonly reason: EgressReason,
    readonly fault: KnownFault,
    cause?: unknown,
  ) {
    super(renderFault(fault), cause === undefined ? undefined : { cause });
    this.isRetryable = reason === "unreachable" || reason === "timeout";
  }
}
