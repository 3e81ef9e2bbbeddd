import type { ProviderReply } from "@carrel/egress";
import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

/** Describes a reply with an error status; a proxy's reply has its own text. */
export function refuseOpenAi(vendor: Vendor, reply: ProviderReply, text: string): ProviderError {
  const { code, message = text } = readFault(readErrorBody(text)) ?? {};
  return describeFault(vendor, {
    statusCode: reply.status,
    code,
    message,
    retryAfterMs: retryAfter({ get: (name) => reply.header(name) }),
  });
}
