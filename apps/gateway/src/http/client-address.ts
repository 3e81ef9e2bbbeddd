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
