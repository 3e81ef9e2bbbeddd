import type { ProviderReply } from "@carrel/egress";
import {
  describeFault,
  retryAfter,
  type Vendor,
  type VendorFault,
} from "../http/describe-fault.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** `{message, type, code}`; some servers send `{message}` or `{detail}` instead, or a text. */
function readError(error: unknown): Pick<VendorFault, "code" | "message"> {
  if (typeof error !== "object" || error === null) return { message: textIn(error) };
  const { code, type, message, detail } = error as Record<string, unknown>;
  return { code: textIn(code) ?? textIn(type), message: textIn(message) ?? textIn(detail) };
}

/** Describes a reply with an error status. */
export function refuseOpenAi(vendor: Vendor, reply: ProviderReply, text: string): ProviderError {
  const body = readErrorBody(text);
  const { code, message } = readError(body?.error ?? body);
  return describeFault(vendor, {
    statusCode: reply.status,
    code,
    message: message ?? text,
    retryAfterMs: retryAfter({ get: (name) => reply.header(name) }),
  });
}

/** Throws the error that an event reports in place of its content. */
export function requireNoError(vendor: Vendor, event: object): void {
  if ("error" in event && event.error) throw describeFault(vendor, readError(event.error));
}
