import { connect, Socket, type TcpNetConnectOpts } from "node:net";
import { EgressError, providerLookup, requireProviderHost } from "@carrel/egress";
import { sqlLimits } from "./sql-engine.ts";

const place = (host: string, port: number): TcpNetConnectOpts => ({
  host,
  port,
  lookup: providerLookup,
});

/**
 * For clients that call `connect(port, host)` themselves: TCP only, never to an address that serves
 * credentials.
 */
export class GuardedSocket extends Socket {
  constructor() {
    super();
    limitReceived(this);
  }

  override connect(...args: unknown[]): this {
    const [port, host] = args;
    try {
      if (typeof port !== "number" || typeof host !== "string")
        throw new EgressError("refused", { code: "egress.socket-path" });
      requireProviderHost(host);
    } catch (refusal) {
      process.nextTick(() => this.destroy(refusal as Error));
      return this;
    }
    return super.connect(place(host, port));
  }
}

/** Connects; never to an address that serves credentials. Throws the socket's error. */
export function connectGuarded(host: string, port: number): Socket {
  requireProviderHost(host);
  const socket = connect(place(host, port));
  limitReceived(socket);
  return socket;
}

export class ReceivedTooMuch extends Error {
  override readonly name = "ReceivedTooMuch";
}

/** A single value can be a gigabyte, which drivers would hold in memory. */
function limitReceived(socket: Socket): void {
  const watch = setInterval(() => {
    if (socket.bytesRead > sqlLimits.receivedBytes) socket.destroy(new ReceivedTooMuch());
  }, 50).unref();
  socket.once("close", () => clearInterval(watch));
}
