import { EgressError } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import type { Vendor } from "./describe-fault.ts";

/** `fetch` and the SDKs wrap connection errors several times. */
function* causes(fault: unknown): Iterable<object> {
  for (
    let current = fault, depth = 0;
    typeof current === "object" && current !== null && depth < 8;
    depth++
  ) {
    yield current;
    // When both address families refuse, Node wraps the reasons in one error.
    if ("errors" in current && Array.isArray(current.errors))
      for (const inner of current.errors as unknown[])
        if (typeof inner === "object" && inner !== null) yield inner;
    current = "cause" in current ? current.cause : null;
  }
}

/** `started`: the response had begun, so the connection error interrupted it. */
export function describeTransportFault(
  vendor: Vendor,
  fault: unknown,
  started: boolean,
): ProviderError {
  let code = "";
  let timedOut = false;
  for (const cause of causes(fault)) {
    if (cause instanceof ProviderError) return cause;
    if (cause instanceof EgressError)
      return new ProviderError(cause.message, {
        kind: "unreachable",
        isRetryable: false,
        cause: fault,
      });
    // Anthropic's SDK keeps no cause for a timeout, only its own error.
    timedOut ||= cause.constructor.name === "APIConnectionTimeoutError";
    if ("code" in cause && typeof cause.code === "string" && code === "") code = cause.code;
  }
  if (started) {
    const silent = code === "UND_ERR_BODY_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT";
    return new ProviderError(
      silent
        ? `${vendor.name} stopped sending in the middle of the answer.`
        : `${vendor.name} disconnected in the middle of the answer.`,
      { kind: "broken-stream", cause: fault },
    );
  }
  if (
    timedOut ||
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    code === "UND_ERR_HEADERS_TIMEOUT" ||
    code === "ETIMEDOUT"
  ) {
    return new ProviderError(`${vendor.name} didn't respond in time at ${vendor.origin}.`, {
      kind: "unreachable",
      cause: fault,
    });
  }
  const why = {
    ECONNREFUSED: "connection refused",
    ENOTFOUND: "unknown host",
    EAI_AGAIN: "DNS lookup failed",
  }[code];
  return new ProviderError(
    `Couldn't reach ${vendor.name} at ${vendor.origin}${why ? ` (${why})` : ""}.`,
    { kind: "unreachable", cause: fault },
  );
}
