import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { CarrelError, deliverHook, findHookSecret, receiveHook } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** Webhooks that sources send. */
@Injectable()
export class HookRoutes {
  constructor(private readonly requests: RequestClient) {}

  /** The body isn't read before it is known who might have signed it. */
  @Route(receiveHook)
  async receive({ input, scope, request }: Call<typeof receiveHook>): Promise<void> {
    const { headers, raw, routeOptions } = request;
    // It may break off, or be cut off, before it is read.
    raw.on("error", () => undefined);
    if (!isSigned(headers)) throw new CarrelError("watch.not-found");
    const { secret } = await this.requests.request(findHookSecret, input, { scope });
    const digests = await digestBody(raw, secret, routeOptions.bodyLimit!);
    const key = verifyHook(headers, digests, secret);
    if (key === null) throw new CarrelError("watch.not-found");
    await this.requests.request(deliverHook, { ...input, key }, { scope });
  }
}

type Headers = Readonly<Record<string, unknown>>;

/** Digests of a message's body. */
interface BodyDigests {
  /** What it must be signed with. */
  signature: Buffer;
  hash: Buffer;
}

const sha256 = (content: string): Buffer => createHash("sha256").update(content).digest();

/**
 * Reads a body of any size in constant memory. Not destroyed on an error, so that the sender sees
 * the response.
 */
export async function digestBody(
  body: Pick<IncomingMessage, "iterator">,
  secret: string,
  limit: number,
): Promise<BodyDigests> {
  const signature = createHmac("sha256", secret);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > limit) throw new CarrelError("request.too-large");
    signature.update(piece);
    hash.update(piece);
  }
  return { signature: signature.digest(), hash: hash.digest() };
}

/** Whether the hexadecimal text is the digest; takes the same time whatever differs. */
function isDigest(text: string, digest: Buffer): boolean {
  const claimed = Buffer.from(text, "hex");
  return claimed.length === digest.length && timingSafeEqual(claimed, digest);
}

const readHeader = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" && value.length <= 1_000 ? value : undefined;
};

/** GitHub, Gitea, Forgejo and Jira sign the body; GitLab sends the secret itself. */
function readSigns(headers: Headers): { signatures: string[]; token: string | undefined } {
  // Jira's; GitHub's header of this name has a SHA-1.
  const jira = readHeader(headers, "x-hub-signature");
  const signatures = [
    readHeader(headers, "x-hub-signature-256")?.replace(/^sha256=/, ""),
    jira?.startsWith("sha256=") === true ? jira.slice("sha256=".length) : undefined,
    readHeader(headers, "x-gitea-signature"),
    readHeader(headers, "x-forgejo-signature"),
  ];
  return {
    signatures: signatures.filter((text) => text !== undefined),
    token: readHeader(headers, "x-gitlab-token"),
  };
}

/** Whether there is a signature that could be right. */
export function isSigned(headers: Headers): boolean {
  const { signatures, token } = readSigns(headers);
  return signatures.length > 0 || token !== undefined;
}

/** The key under which a message is remembered, or null if it isn't signed with the secret. */
export function verifyHook(headers: Headers, digests: BodyDigests, secret: string): string | null {
  const { signatures, token } = readSigns(headers);
  const bodyKey = `body:${digests.hash.toString("hex")}`;
  // Not the delivery's id, which isn't signed.
  if (signatures.some((text) => isDigest(text, digests.signature))) return bodyKey;
  if (token === undefined || !timingSafeEqual(sha256(token), sha256(secret))) return null;
  const id = readHeader(headers, "x-gitlab-event-uuid");
  return id === undefined ? bodyKey : `id:${sha256(id).toString("hex")}`;
}
