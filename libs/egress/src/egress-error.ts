import { AsyncLocalStorage } from "node:async_hooks";
import { renderFault, type KnownFault } from "@carrel/contracts";

const current = new AsyncLocalStorage<typeof fetch>();
let isRouted = false;

/**
 * Runs work with its global `fetch` calls routed to the given one, for vendors' clients that take
 * no `fetch` option. Code outside is not affected. Call `routeFetch` before such a client is
 * loaded, because some keep a reference to the function.
 */
export function runWithFetch<T>(within: typeof fetch, work: () => Promise<T>): Promise<T> {
  routeFetch();
  return current.run(within, work);
}

/**
 * Replaces the global `fetch`, once, with one that routes by async context and otherwise behaves
 * the same.
 */
export function routeFetch(): void {
  if (isRouted) return;
  isRouted = true;
  const before = globalThis.fetch;
  globalThis.fetch = (input, init) => (current.getStore() ?? before)(input, init);
}

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

/** What Node says of a certificate that it doesn't accept. */
const certificateCodes =
  /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

const codeOf = (fault: unknown): string =>
  String((fault as NodeJS.ErrnoException | null)?.code ?? "");

/** Whether a connection failed because of the server's certificate. */
export const isUntrusted = (fault: unknown): boolean => certificateCodes.test(codeOf(fault));

export const untrusted = (fault: unknown, host: string): EgressError =>
  new EgressError(
    "unreachable",
    { code: "egress.certificate-untrusted", params: { host, reason: codeOf(fault) } },
    fault,
  );

/** What OpenSSL says of a server that answers without TLS. */
const plainReply = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/;

/**
 * Why an address couldn't be read.
 *
 * @param host with scheme and port if it was asked for a page: people leave both out
 */
export function toEgressError(fault: unknown, host: string): EgressError {
  if (fault instanceof EgressError) return fault;
  if (isUntrusted(fault)) return untrusted(fault, host);
  const code = codeOf(fault);
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT")
    return new EgressError("timeout", { code: "egress.timed-out", params: { host } }, fault);
  if (plainReply.test(code))
    return new EgressError(
      "unreachable",
      { code: "egress.without-https", params: { host } },
      fault,
    );
  return new EgressError("unreachable", { code: "egress.unreachable", params: { host } }, fault);
}
