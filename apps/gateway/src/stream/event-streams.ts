import { setMaxListeners } from "node:events";
import { accessChanged, CarrelError, type EventPayload, type Principal } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Authenticator } from "../access/authenticator.ts";
import { readBearer } from "../access/bearer.ts";
import { EventStream } from "./event-stream.ts";

/** Carrel's own clients request ids, heartbeats and Carrel-specific frames with this header. */
const isCarrelClient = (request: FastifyRequest): boolean =>
  request.headers["x-carrel-stream"] === "1";

/** How often the sessions behind open streams are checked, because expiry publishes no event. */
const sessionCheckMs = 60_000;

/** The reader of a long-lived stream, and the message it gets when its access changes. */
export interface Watcher {
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
