import type { ProviderReply } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import type { CalledVendor } from "./describe-fault.ts";
import { describeTransportFault } from "./describe-transport-fault.ts";
import { isWebPage, webPageError } from "./read-fault.ts";
import { sharedPool, withOneRetry, type CallLimits } from "./run-request.ts";

/** Describes a reply with an error status. */
export type Refusal = (vendor: CalledVendor, reply: ProviderReply, text: string) => ProviderError;

export interface JsonCall {
  vendor: CalledVendor;
  url: string;
  limits: CallLimits;
  headers: Record<string, string>;
  body: object;
  signal: AbortSignal;
  refuse: Refusal;
}

/** A vendor's JSON reply to a POST, retried once if that may help. Only throws ProviderError. */
export function postJson(call: JsonCall): Promise<unknown> {
  const { vendor, limits, signal } = call;
  const url = new URL(call.url);
  const body = JSON.stringify(call.body);
  return withOneRetry(
    signal,
    async () => {
      const reply = await sharedPool(url.origin, limits).post({
        url,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "user-agent": "Carrel",
          ...call.headers,
        },
        body,
        signal,
      });
      if (reply.status >= 400) throw call.refuse(vendor, reply, await reply.text());
      if (isWebPage(reply.header("content-type"))) {
        reply.release();
        throw webPageError(url.origin);
      }
      return readJson(vendor, await readAll(reply));
    },
    (fault, started) => describeTransportFault(vendor, fault, started),
  );
}

/** Unlike `text()`, without a limit: a batch of vectors takes tens of megabytes. */
async function readAll(reply: ProviderReply): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function readJson(vendor: CalledVendor, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderError(
      { code: "provider.reply-unreadable", params: { vendor: vendor.name } },
      { kind: "server", cause },
    );
  }
}
