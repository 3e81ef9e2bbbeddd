import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Deployed } from "@carrel/testing";

/** How often a gateway's readiness is checked. */
const checkMs = 250;
const timeoutMs = 2_000;

/** A load balancer: each connection goes to the next gateway whose /readyz answers 200. */
export class Balancer {
  /** How often a gateway that counted as ready refused a connection. */
  refused = 0;
  private readonly ready = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.forward(socket));
  private readonly timer: NodeJS.Timeout;
  private turn = 0;

  private constructor(private readonly gateways: () => readonly Deployed[]) {
    this.timer = setInterval(() => void this.check(), checkMs);
  }

  static async start(gateways: () => readonly Deployed[]): Promise<Balancer> {
    const balancer = new Balancer(gateways);
    await balancer.check();
    balancer.server.listen(0, "127.0.0.1");
    await once(balancer.server, "listening");
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    clearInterval(this.timer);
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async check(): Promise<void> {
    await Promise.all(
      this.gateways().map(async ({ health, url }) => {
        const isReady = await fetch(`${health}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
          .then(({ ok }) => ok)
          .catch(() => false);
        if (isReady) this.ready.add(url);
        else this.ready.delete(url);
      }),
    );
  }

  private forward(socket: Socket): void {
    this.keep(socket);
    const candidates = this.gateways()
      .map(({ url }) => url)
      .filter((url) => this.ready.has(url));
    const url = candidates[(this.turn += 1) % Math.max(candidates.length, 1)];
    if (url === undefined) return void socket.destroy();
    const onward = connect(Number(new URL(url).port), "127.0.0.1");
    this.keep(onward);
    onward.once("error", () => {
      if (onward.connecting || onward.bytesRead + onward.bytesWritten === 0) this.refused += 1;
    });
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroySoon());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => this.sockets.delete(socket));
  }
}
