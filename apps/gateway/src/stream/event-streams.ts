import { accessChanged, CarrelError, type EventPayload, type Principal } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Authenticator } from "../access/authenticator.ts";
import { readBearer } from "../access/bearer.ts";
import { EventStream } from "./event-stream.ts";

/** Our own clients ask for ids, heartbeats and our frames with this header. */
const isCarrelClient = (request: FastifyRequest): boolean =>
  request.headers["x-carrel-stream"] === "1";

/**
 * How often it is looked whether the sessions behind open streams still are: an expiry makes no
 * event.
 */
const sessionCheckMs = 60_000;

/**
 * Who reads a stream for as long as someone looks, and what it is told when what it may do has
 * changed.
 */
export interface Watcher {
  principal: Principal;
  farewell?: string;
}

/**
 * All event streams of this gateway: stopping ends them without anybody's work being cancelled, and
 * no reader outlives its rights.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Map<
    EventStream,
    { bearer: string | null; watcher: Watcher | null }
  >();
  private readonly stopListening: () => void;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly authenticator: Authenticator,
    broadcast: Broadcast,
  ) {
    this.stopListening = broadcast.on(`event:${accessChanged.name}`, (payload) =>
      this.review((payload as EventPayload<typeof accessChanged>).userId),
    );
    this.timer = setInterval(() => this.checkSessions(), sessionCheckMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.stopListening();
  }

  /** A stream that comes to an end of its own; it goes on for as long as its session does. */
  start(request: FastifyRequest, reply: FastifyReply): EventStream {
    return this.add(request, reply, null);
  }

  /** A stream that goes on for as long as someone looks. */
  watch(request: FastifyRequest, reply: FastifyReply, watcher: Watcher): EventStream {
    return this.add(request, reply, watcher);
  }

  /** Ends the streams whose session is over. */
  checkSessions(): void {
    for (const [stream, { bearer }] of this.open) void this.endWithoutSession(stream, bearer);
  }

  stopAll(): void {
    for (const stream of this.open.keys()) stream.stop();
  }

  private add(request: FastifyRequest, reply: FastifyReply, watcher: Watcher | null): EventStream {
    const stream = new EventStream(reply, isCarrelClient(request), (closed) => {
      this.open.delete(closed);
    });
    if (!stream.signal.aborted)
      this.open.set(stream, { bearer: readBearer(request.headers.authorization), watcher });
    return stream;
  }

  /**
   * Who watches was let in by what has changed now: they come again and are asked again. An answer
   * under way ends with its session only.
   */
  private review(userId: number | undefined): void {
    for (const [stream, { bearer, watcher }] of this.open) {
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
      // Auth that does not answer proves nothing: the answer goes on.
      if (error instanceof CarrelError && error.code === "UNAUTHENTICATED") stream.stop();
    }
  }
}
