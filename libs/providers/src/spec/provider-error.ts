import { renderFault, type KnownFault } from "@carrel/contracts";

export type ProviderErrorKind =
  | "authentication"
  | "rate-limit"
  | "context-length"
  | "content-filter"
  | "not-found"
  | "unreachable"
  | "invalid"
  | "server"
  | "aborted"
  | "broken-stream";

const retryableKinds: ReadonlySet<ProviderErrorKind> = new Set([
  "rate-limit",
  "unreachable",
  "server",
  "broken-stream",
]);

export interface ProviderErrorOptions {
  kind: ProviderErrorKind;
  statusCode?: number;
  /**
   * By default, the kind decides (rate-limit, unreachable, server and broken-stream may succeed
   * later).
   */
  isRetryable?: boolean;
  /** How long the vendor asked us to wait (retry-after). */
  retryAfterMs?: number;
  /** For kind context-length: the vendor's limit in tokens, if known. */
  contextLimit?: number | undefined;
  /** For kind authentication: the vendor's words with keys masked, for those who set the key. */
  said?: string;
  cause?: unknown;
}

/** The only error providers throw. `fault` reaches users and never contains a key. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  readonly statusCode?: number;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
  readonly contextLimit?: number;
  readonly said?: string;
  constructor(
    readonly fault: KnownFault,
    options: ProviderErrorOptions,
  ) {
    super(renderFault(fault), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = options.kind;
    if (options.statusCode !== undefined) this.statusCode = options.statusCode;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.said !== undefined) this.said = options.said;
    if (options.contextLimit !== undefined) this.contextLimit = options.contextLimit;
    this.isRetryable = options.isRetryable ?? retryableKinds.has(options.kind);
  }
}
