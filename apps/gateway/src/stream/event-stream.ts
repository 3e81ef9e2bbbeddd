import type { FastifyReply } from "fastify";

const heartbeatMs = 15_000;

/**
 * One response as server-sent events. `carrel` streams (our own clients) have heartbeats and ids;
 * all others match wire-contract 4.1 byte for byte: nothing but `data:` lines.
 */
export class EventStream {
  /** Aborted when there is no reader left: the client disconnected, or the gateway is stopping. */
  readonly signal: AbortSignal;
  private readonly over = new AbortController();
  private readonly heartbeat: NodeJS.Timeout | undefined;
  private hasSent = false;
  private hasEnded = false;
  private isClosed = false;
  private isLeaving = false;
  private isStopping = false;

  constructor(
    private readonly reply: FastifyReply,
    readonly carrel: boolean,
    private readonly onClose: (stream: EventStream) => void,
    /** Which pages may read it; null: as set by the hooks. */
    allowedOrigin: string | null = "*",
  ) {
    this.signal = this.over.signal;
    reply.hijack();
    const { raw } = reply;
    const close = (): void => {
      this.isClosed = true;
      clearInterval(this.heartbeat);
      this.over.abort();
      onClose(this);
    };
    raw.once("close", close);
    // The client disconnected while its request was being started, so no close event will follow.
    if (raw.destroyed || raw.socket === null || raw.socket.destroyed) {
      close();
      return;
    }
    // Hijacking skips Fastify's headers, so copy those set by hooks (security, CORS).
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache",
      Connection: "keep-alive",
      "X-Accel-Buffering": "no",
      ...(carrel || allowedOrigin === null ? {} : { "Access-Control-Allow-Origin": allowedOrigin }),
    });
    raw.socket?.setNoDelay(true);
    // The first frames are often ready by then, and so share a packet with the headers.
    setImmediate(() => {
      if (!this.hasSent && !raw.writableEnded) raw.flushHeaders();
    });
    if (carrel)
      this.heartbeat = setInterval(() => {
        if (!raw.writableNeedDrain) raw.write(":\n\n");
      }, heartbeatMs).unref();
  }

  /**
   * Whether the client closed the connection, as opposed to a complete response or a gateway stop.
   */
  get leftByClient(): boolean {
    return this.signal.aborted && !this.hasEnded && !this.isStopping;
  }

  /**
   * Waits while the reader is slow; data sent after the end is dropped. Only protocols that name
   * their events have an `event`.
   */
  async send(data: string, id?: number | string, event?: string): Promise<void> {
    const { raw } = this.reply;
    if (this.isClosed || this.hasEnded) return;
    const name = event === undefined ? "" : `event: ${event}\n`;
    const number = id === undefined || !this.carrel ? "" : `id: ${id}\n`;
    const frame = `${name}${number}data: ${data}\n\n`;
    this.hasSent = true;
    const hasRoom = raw.write(frame);
    if (this.isLeaving && this.carrel) return this.stop();
    if (hasRoom) return;
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
    const { raw } = this.reply;
    const { socket } = raw;
    // Its headers promised to keep the connection open, and a gateway that stops would have to wait
    // for it.
    raw.end(() => {
      if (this.isLeaving) socket?.destroySoon();
    });
  }

  /**
   * The gateway is about to stop. Carrel's own clients resume an answer elsewhere once they know
   * its number; others get the rest until `interrupt`.
   */
  leave(): void {
    this.isLeaving = true;
    if (this.carrel && this.hasSent) this.stop();
  }

  /** Stops reading for this stream; its writer tells the client and ends it. */
  interrupt(): void {
    this.isStopping = true;
    this.over.abort();
  }

  /** Ends the stream although its reader is still there; doesn't count as the client leaving. */
  stop(): void {
    this.interrupt();
    this.end();
  }
}
