import { createHash, hash, type Hash } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The client's address: that of the connection, or the one reported by a trusted proxy
 * (CARREL_TRUST_PROXY). Anything that is not an address is ignored. IPv4 is always in dotted form,
 * even on an IPv6 socket.
 */
export function clientAddress(request: Pick<FastifyRequest, "ip" | "socket">): string | undefined {
  const told = [request.ip, request.socket.remoteAddress].find(
    (address) => address !== undefined && isIP(address) !== 0,
  );
  return told?.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

/** Whether the client connected over TLS, to this server or to a trusted proxy. */
export const isSecure = (request: Pick<FastifyRequest, "protocol">): boolean =>
  request.protocol.toLowerCase() === "https";

type Headers = Pick<FastifyRequest, "headers">;
const bodies = new WeakMap<object, Hash>();

/** The client's `Idempotency-Key` (1 to 200 printable characters); null if it sent none. */
export function clientKey({ headers }: Headers): string | null {
  const key = headers["idempotency-key"];
  return typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key) ? `client/${key}` : null;
}

/** Hashes a body as it arrives; null if no key needs it. */
export function startBodyHash(request: Headers): Hash | null {
  if (clientKey(request) === null) return null;
  const started = createHash("sha256");
  bodies.set(request, started);
  return started;
}

/**
 * The key under which a write happens only once: the client's key, with which it may resend the
 * request if the reply was lost, or else the request's ID. A client's key applies to one address
 * and content: a program that uses a key twice must not get another request's answer.
 *
 * @param content of a body that isn't JSON
 */
export function requestKey(
  request: Pick<FastifyRequest, "headers" | "id" | "method" | "url">,
  content?: object,
): string {
  const key = clientKey(request);
  if (key === null) return request.id;
  const { method, url } = request;
  const body = content ?? bodies.get(request)?.copy().digest("base64url") ?? null;
  return `${key}/${hash("sha256", JSON.stringify([method, url, body]), "base64url")}`;
}
