import type { FastifyReply } from "fastify";

const heartbeatMs = 15_000;

/**
 * One answer as server-sent events. `carrel` streams (our own clients) have heartbeats and ids; the
 * others are byte for
 * byte wire-contract 4.1: nothing but `data:` lines.
 */
export class EventStream {
  /** Aborts when nobody reads any more: the client left, or the gateway stops. */
  readonly signal: AbortSignal;
  private readonly over = new AbortController();
  private readonly heartbeat: NodeJS.Timeout | undefined;
  private hasEnded = false;
  private isStopping = false;

  constructor(
    private readonly reply: FastifyReply,
    readonly carrel: boolean,
    private readonly onClose: (stream: EventStream) => void,
  ) {
    this.signal = this.over.signal;
    reply.hijack();
    const { raw } = reply;
    const close = (): void => {
      clearInterval(this.heartbeat);
      this.over.abort();
      onClose(this);
    };
    raw.once("close", close);
    // The client left while its request was being started: no event tells of that any more.
    if (raw.destroyed || raw.socket === null || raw.socket.destroyed) {
      close();
      return;
    }
    // Headers that hooks have set (security, CORS) count here too.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache",
      Connection: "keep-alive",
      "X-Accel-Buffering": "no",
      ...(carrel ? {} : { "Access-Control-Allow-Origin": "*" }),
    });
    raw.flushHeaders();
    raw.socket?.setNoDelay(true);
    if (carrel)
      this.heartbeat = setInterval(() => {
        if (!raw.writableNeedDrain) raw.write(":\n\n");
      }, heartbeatMs).unref();
  }

  /**
   * Whether the client closed the connection: not when the answer is complete, nor when the gateway
   * stops.
   */
  get leftByClient(): boolean {
    return this.signal.aborted && !this.hasEnded && !this.isStopping;
  }

  /** Waits while the reader is slow; what is sent after the end goes nowhere. */
  async send(data: string, id?: number): Promise<void> {
    const { raw } = this.reply;
    if (this.signal.aborted || this.hasEnded) return;
    const frame =
      id === undefined || !this.carrel ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
    if (raw.write(frame)) return;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        raw.off("drain", proceed);
        raw.off("close", proceed);
        resolve();
      };
      raw.once("drain", proceed);
      raw.once("close", proceed);
    });
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.reply.raw.end();
  }

  /** The gateway stops: the connection ends, and nothing is read into that. */
  stop(): void {
    this.isStopping = true;
    this.over.abort();
    this.reply.raw.end();
  }
}
