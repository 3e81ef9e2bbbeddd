import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { ProviderReply } from "@carrel/egress";
import type { Checksum, SourceData } from "@smithy/types";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import type { CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import { ProviderError } from "../spec/provider-error.ts";

/** An API key, or the keys of an IAM user or a session. */
export type BedrockCredentials =
  | { apiKey: string }
  | { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

export interface BedrockEndpoint {
  vendor: CalledVendor;
  /** Address of the runtime, which answers. */
  baseUrl: string;
  /** Address of the control plane, which lists models. */
  listUrl: string;
  region: string;
  credentials: BedrockCredentials;
  limits: CallLimits;
}

/** AWS uses a separate domain for China. */
export const bedrockUrl = (service: string, region: string): string =>
  `https://${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

/** Throws ProviderError 'invalid': a region is part of a host name. */
export function requireRegion(region: string): string {
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
    throw new ProviderError({ code: "provider.address-invalid" }, { kind: "invalid" });
  return region;
}

/** AWS's signer needs a hash implementation. */
class Sha256 implements Checksum {
  private readonly hash: Hash | Hmac;
  constructor(secret?: SourceData) {
    this.hash =
      secret === undefined
        ? createHash("sha256")
        : createHmac("sha256", typeof secret === "string" ? secret : toBytes(secret));
  }
  update(data: Uint8Array): void {
    this.hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }
  reset(): void {
    throw new TypeError("a hash is used once");
  }
}

const toBytes = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/** AWS's own signer, loaded by the first call that needs it. */
let signing: Promise<typeof import("@smithy/signature-v4")> | undefined;
const loadSigning = (): Promise<typeof import("@smithy/signature-v4")> =>
  (signing ??= import("@smithy/signature-v4"));

/** Headers that authorise one request: a bearer token, or its signature (SigV4). */
export async function authorize(
  { credentials, region }: BedrockEndpoint,
  { method, url, body }: { method: "GET" | "POST"; url: URL; body?: string },
): Promise<Record<string, string>> {
  if ("apiKey" in credentials) return { authorization: `Bearer ${credentials.apiKey}` };
  const { SignatureV4 } = await loadSigning();
  const signer = new SignatureV4({ service: "bedrock", region, credentials, sha256: Sha256 });
  const { headers } = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host },
    ...(body !== undefined && { body }),
  });
  const { host: _host, ...signed } = headers;
  return signed;
}

/** Error bodies are `{message}`; their type is in a header (AWS API reference, 2026). */
export function refuseBedrock(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const code = headers.get("x-amzn-errortype")?.split(":")[0];
  const wait = retryAfter(headers);
  return describeFault(vendor, {
    statusCode: status,
    ...(code !== undefined && { code }),
    message: readFault(readErrorBody(text))?.message ?? text,
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

export const refuseBedrockReply = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError =>
  refuseBedrock(vendor, reply.status, text, { get: (name) => reply.header(name) });
