import { Socket, type TcpNetConnectOpts } from "node:net";
import { EgressError, providerLookup, requireProviderHost } from "@carrel/egress";

/**
 * Socket for database clients that open their own connections: TCP only, never to an address that
 * serves credentials.
 */
export class GuardedSocket extends Socket {
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
    const options: TcpNetConnectOpts = { port, host, lookup: providerLookup };
    return super.connect(options);
  }
}
