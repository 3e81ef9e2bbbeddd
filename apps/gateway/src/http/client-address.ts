import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The client's address: the connection's, or what a trusted proxy says of it (CARREL_TRUST_PROXY).
 * What is no address
 * there counts for nothing. IPv4 in its own form, whatever the socket speaks.
 */
export function clientAddress(request: Pick<FastifyRequest, "ip" | "socket">): string | undefined {
  const told = [request.ip, request.socket.remoteAddress].find(
    (address) => address !== undefined && isIP(address) !== 0,
  );
  return told?.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

/** Whether the client came by TLS, here or at a trusted proxy. */
export const isSecure = (request: Pick<FastifyRequest, "protocol">): boolean =>
  request.protocol.toLowerCase() === "https";
