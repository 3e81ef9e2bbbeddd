import { renderFault, type KnownFault } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { VectorStoreError } from "@carrel/vector-store";

export const buildRetryMs = { soon: 15_000, later: 60_000 };

/**
 * Why a build can't continue now. `retryMs` is null if retrying is pointless until an admin changes
 * something.
 */
export class IndexBuildError extends Error {
  constructor(
    readonly fault: KnownFault,
    readonly retryMs: number | null,
    cause?: unknown,
  ) {
    super(renderFault(fault), { cause });
  }
}

/** Maps any build failure to the message shown to admins and a retry delay. */
export function toIndexBuildError(fault: unknown): IndexBuildError {
  if (fault instanceof IndexBuildError) return fault;
  if (fault instanceof ProviderError)
    return new IndexBuildError(
      fault.fault,
      fault.isRetryable || fault.kind === "aborted"
        ? Math.max(fault.retryAfterMs ?? 0, buildRetryMs.soon)
        : null,
      fault,
    );
  if (fault instanceof VectorStoreError)
    return new IndexBuildError(fault.fault, fault.isRetryable ? buildRetryMs.soon : null, fault);
  return new IndexBuildError({ code: "index.build-interrupted" }, buildRetryMs.later, fault);
}
