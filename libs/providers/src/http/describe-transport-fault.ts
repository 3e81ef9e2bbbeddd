import { EgressError } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import type { CalledVendor } from "./describe-fault.ts";

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

const unreachableCodes: Readonly<
  Partial<
    Record<string, "provider.connection-refused" | "provider.host-unknown" | "provider.dns-failed">
  >
> = {
  ECONNREFUSED: "provider.connection-refused",
  ENOTFOUND: "provider.host-unknown",
  EAI_AGAIN: "provider.dns-failed",
};

/** `started`: the response had begun, so the connection error interrupted it. */
export function describeTransportFault(
  vendor: CalledVendor,
  fault: unknown,
  started: boolean,
): ProviderError {
  let code = "";
  let timedOut = false;
  for (const cause of causes(fault)) {
    if (cause instanceof ProviderError) return cause;
    if (cause instanceof EgressError)
      return new ProviderError(cause.fault, {
        kind: "unreachable",
        isRetryable: cause.isRetryable,
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
        ? { code: "provider.went-silent", params: { vendor: vendor.name } }
        : { code: "provider.disconnected" },
      { kind: "broken-stream", cause: fault },
    );
  }
  const isLate =
    timedOut ||
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    code === "UND_ERR_HEADERS_TIMEOUT" ||
    code === "ETIMEDOUT";
  return new ProviderError(
    {
      code: isLate ? "provider.timed-out" : (unreachableCodes[code] ?? "provider.unreachable"),
      params: { vendor: vendor.name, origin: vendor.origin },
    },
    { kind: "unreachable", cause: fault },
  );
}
