import { setMaxListeners } from "node:events";
import { CarrelError, accessChanged, type EventPayload, type Principal } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Authenticator } from "../access/authenticator.ts";
import { readBearer } from "../access/bearer.ts";

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

/** Carrel's own clients request ids, heartbeats and Carrel-specific frames with this header. */
const isCarrelClient = (request: FastifyRequest): boolean =>
  request.headers["x-carrel-stream"] === "1";

/** How often the sessions behind open streams are checked, because expiry publishes no event. */
const sessionCheckMs = 60_000;

/** The reader of a long-lived stream, and the message it gets when its access changes. */
interface Watcher {
  principal: Principal;
  farewell?: string;
}

/**
 * All event streams of this gateway: stopping ends them without cancelling work, and none outlives
 * its reader's access.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Map<
    EventStream,
    { bearer: string | null; watcher: Watcher | null; isOpenToAll?: true }
  >();
  /** Aborted when the gateway stops, for waiting replies that aren't streams. */
  readonly stopping: AbortSignal;
  private readonly stop = new AbortController();
  private isLeaving = false;
  private readonly stopListening: () => void;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly authenticator: Authenticator,
    broadcast: Broadcast,
  ) {
    this.stopping = this.stop.signal;
    setMaxListeners(0, this.stopping); // one for each reply that waits
    this.stopListening = broadcast.on(`event:${accessChanged.name}`, (payload) =>
      this.review((payload as EventPayload<typeof accessChanged>).userId),
    );
    this.timer = setInterval(() => this.checkSessions(), sessionCheckMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.stopListening();
  }

  /** Opens a stream that the route ends; it also ends when its session does. */
  start(request: FastifyRequest, reply: FastifyReply): EventStream {
    return this.add(request, reply, null);
  }

  /** Opens a stream to a visitor of another site, who has no session here. */
  startForVisitor(reply: FastifyReply): EventStream {
    const stream = new EventStream(reply, false, (closed) => this.open.delete(closed), null);
    if (!stream.signal.aborted)
      this.open.set(stream, { bearer: null, watcher: null, isOpenToAll: true });
    return stream;
  }

  /** Opens a stream that stays open as long as someone is watching. */
  watch(request: FastifyRequest, reply: FastifyReply, watcher: Watcher): EventStream {
    return this.add(request, reply, watcher);
  }

  /** Ends the streams whose session has expired. */
  checkSessions(): void {
    for (const [stream, { bearer, isOpenToAll }] of this.open)
      if (isOpenToAll !== true) void this.endWithoutSession(stream, bearer);
  }

  /**
   * Ends streams that their readers can resume at another gateway. Other clients' answers continue.
   */
  leave(): void {
    this.isLeaving = true;
    for (const [stream, { watcher }] of this.open) leaveStream(stream, watcher);
  }

  /** Ends the remaining streams after telling their readers. */
  stopAll(): void {
    this.stop.abort();
    for (const stream of this.open.keys()) stream.interrupt();
  }

  private add(request: FastifyRequest, reply: FastifyReply, watcher: Watcher | null): EventStream {
    const stream = new EventStream(reply, isCarrelClient(request), (closed) => {
      this.open.delete(closed);
    });
    if (!stream.signal.aborted) {
      this.open.set(stream, { bearer: readBearer(request.headers.authorization), watcher });
      if (this.isLeaving) leaveStream(stream, watcher);
    }
    return stream;
  }

  /**
   * The rights with which a watcher was admitted may have changed, so it must reconnect and be
   * checked again. A running answer ends only with its session.
   */
  private review(userId: number | undefined): void {
    for (const [stream, { bearer, watcher, isOpenToAll }] of this.open) {
      if (isOpenToAll === true) continue;
      if (watcher === null) {
        void this.endWithoutSession(stream, bearer);
      } else if (
        userId === undefined ||
        watcher.principal.userId === null ||
        watcher.principal.userId === userId
      ) {
        if (watcher.farewell !== undefined) void stream.send(watcher.farewell);
        stream.stop();
      }
    }
  }

  private async endWithoutSession(stream: EventStream, bearer: string | null): Promise<void> {
    try {
      await this.authenticator.principal(bearer);
    } catch (error) {
      // An unreachable auth service proves nothing, so the answer continues.
      if (error instanceof CarrelError && error.kind === "UNAUTHENTICATED") stream.stop();
    }
  }
}

function leaveStream(stream: EventStream, watcher: Watcher | null): void {
  stream.leave();
  if (watcher !== null) stream.stop();
}
