import type { FastifyRequest } from "fastify";

/**
 * The key under which a write is done once: the client's `Idempotency-Key` (1 to 200 printable
 * characters), with which it may send the request again if the reply was lost, or else the request's
 * ID.
 */
export function requestKey({ headers, id }: Pick<FastifyRequest, "headers" | "id">): string {
  const key = headers["idempotency-key"];
  return typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key) ? `client/${key}` : id;
}
