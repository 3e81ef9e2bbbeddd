import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  CarrelError,
  accessChanged,
  openInvocation,
  publicPrincipal,
  renderFault,
  type EventPayload,
  type KnownFault,
  type OpenedInvocation,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import websocket from "@fastify/websocket";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Authenticator } from "../access/authenticator.ts";
import { readCookie } from "../access/bearer.ts";
import { refuse } from "../http/send-reply.ts";
import { agentCookie } from "../session/cookies.ts";
import { AgentSession } from "./agent-session.ts";
import { AgentSocket, type RawSocket } from "./agent-socket.ts";
import { readClientFrame, type ClientFrame } from "./client-frame.ts";
import { SessionPorts } from "./session-ports.ts";
import { failureFrame } from "./turn-frames.ts";

/** Bytes of a client's frame: a reply with images, whose limit is 20 MB before base64. */
const maxFrameBytes = 28 * 1024 * 1024;
const maxSockets = 5_000;
/** How often a connection must show that it is alive. */
const beatMs = 10_000;
/** Frames that a client may send at once, and per second from then on; others are ignored. */
const burst = 20;
const framesPerSecond = 5;
/** Bytes of a frame that is kept until its session has been found. */
const maxEarlyBytes = 100_000;
/** Ignored frames after which a client is disconnected. */
const maxIgnored = 500;
const longestToken = 8_192;
/** How long stopping waits for what sessions still have to write. */
const partingMs = 2_000;
/** How often a session that seems to be in use is tried, and how long after each other, in ms. */
const openTries = 5;
const openPauseMs = 300;
const closing = { goingAway: 1_001, misbehaving: 1_008, tryLater: 1_013 } as const;
/** A client that ends its session says so; a lost connection doesn't. */
const deliberate = new Set([1_000, 1_005]);

const reasons = {
  missing: { code: "agent-session.not-found" },
  closed: { code: "agent-session.closed" },
  "in-use": { code: "agent-session.in-use" },
} as const satisfies Record<string, KnownFault>;

/**
 * Whether Node should hand the connection over: requests to upgrade anything else are answered as
 * if they hadn't asked.
 */
export const isAgentUpgrade = ({
  method,
  url,
  headers,
}: {
  method?: string | undefined;
  url?: string | undefined;
  headers: { upgrade?: string | undefined };
}): boolean =>
  method === "GET" &&
  headers.upgrade?.toLowerCase() === "websocket" &&
  /^\/api\/agent-invocation\/[\w-]+\/?(?:\?|$)/.test(url ?? "");

/** The sockets over which existing clients talk with agents (wire-contract 5.2). */
@Injectable()
export class AgentSockets implements OnModuleDestroy {
  private readonly open = new Map<AgentSocket, AgentSession | null>();
  private readonly parting = new Set<Promise<unknown>>();
  private readonly stopListening: () => void;
  private isLeaving = false;

  constructor(
    private readonly ports: SessionPorts,
    private readonly authenticator: Authenticator,
    broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.stopListening = broadcast.on(`event:${accessChanged.name}`, (payload) =>
      this.endOf((payload as EventPayload<typeof accessChanged>).userId),
    );
  }

  onModuleDestroy(): void {
    this.stopListening();
  }

  /** Adds the route, under the same rules for hosts and origins as all others. */
  async mount(instance: FastifyInstance): Promise<void> {
    await instance.register(async (child) => {
      await child.register(websocket, { options: { maxPayload: maxFrameBytes } });
      child.route<{ Params: { uuid: string } }>({
        method: "GET",
        url: "/api/agent-invocation/:uuid",
        exposeHeadRoute: false,
        handler: (_request, reply) => refuse(reply, 404, { code: "request.address-unknown" }),
        wsHandler: (raw, request) => this.connect(raw as unknown as RawSocket, request),
      });
    });
  }

  /** Ends all connections, and new ones at once; their sessions can be taken up at another gateway. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    for (const [socket, session] of this.open) {
      socket.close(closing.goingAway);
      if (session !== null) this.track(session.release());
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, partingMs);
    });
    await Promise.race([Promise.allSettled(this.parting), late]);
    clearTimeout(timer);
  }

  private connect(raw: RawSocket, request: FastifyRequest<{ Params: { uuid: string } }>): void {
    const socket = new AgentSocket(raw);
    raw.on("error", () => undefined); // a close follows
    // The server waits for every socket before it ends.
    if (this.isLeaving) return socket.close(closing.goingAway);
    if (this.open.size >= maxSockets) return socket.close(closing.tryLater);
    this.open.set(socket, null);
    const stopBeating = this.beat(socket, raw);
    const allowance = new Allowance();
    /** Frames that came before the session was found. */
    const early: ClientFrame[] = [];
    raw.on("message", (data, isBinary) => {
      const session = this.open.get(socket) ?? null;
      if (!allowance.take()) {
        if (allowance.ignored <= maxIgnored || socket.signal.aborted) return;
        socket.close(closing.misbehaving);
        if (session !== null) this.track(session.release());
        return;
      }
      const frame = isBinary ? null : readClientFrame(data.toString());
      if (frame === null) return;
      if (session !== null) this.track(session.take(frame));
      else if (data.byteLength <= maxEarlyBytes) early.push(frame);
    });
    raw.on("close", (code) => {
      stopBeating();
      const isForeign = socket.noteClosed();
      const session = this.open.get(socket);
      this.open.delete(socket);
      if (isForeign && session)
        this.track(deliberate.has(code) ? session.end() : session.release());
    });
    this.track(this.serve(socket, request, early));
  }

  private async serve(
    socket: AgentSocket,
    request: FastifyRequest<{ Params: { uuid: string } }>,
    early: readonly ClientFrame[],
  ): Promise<void> {
    const connection = randomUUID();
    const found = await this.find(request, connection).catch((error: unknown) => {
      this.logger.error({ err: error }, "couldn't open an agent's session");
      return { code: "request.failed" } as const;
    });
    if ("code" in found) {
      await socket.send(failureFrame(renderFault(found)));
      return socket.close();
    }
    const session = new AgentSession(socket, connection, found, this.ports);
    if (socket.signal.aborted) return session.release();
    this.open.set(socket, session);
    for (const frame of early) this.track(session.take(frame));
    await session.run();
  }

  private async find(
    request: FastifyRequest<{ Params: { uuid: string } }>,
    connection: string,
  ): Promise<OpenedInvocation | KnownFault> {
    const person = await this.findPerson(readCookie(request.headers.cookie, agentCookie.name));
    if (person === "unknown") return reasons.missing;
    for (let tries = 1; ; tries += 1) {
      const opened = await this.ports.requests.request(
        openInvocation,
        { uuid: request.params.uuid.slice(0, 100), connection, person },
        { scope: { principal: publicPrincipal, workspace: null } },
      );
      if (opened.state === "open") return opened.invocation;
      if (opened.state !== "in-use" || tries === openTries) return reasons[opened.state];
      // A client that lost its connection may return before its loss has been noticed.
      await wait(openPauseMs);
    }
  }

  /** Whose browser it is, where it says; null: it doesn't. */
  private async findPerson(
    cookie: string | null,
  ): Promise<{ userId: number | null } | "unknown" | null> {
    if (cookie === null || cookie === "" || !(await this.authenticator.mode()).RequiresAuth)
      return null;
    try {
      const { userId } = await this.authenticator.principal(cookie.slice(0, longestToken));
      return { userId };
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "UNAUTHENTICATED") return "unknown";
      throw error;
    }
  }

  /** Disconnects clients that don't answer, and those whose session has been closed. */
  private beat(socket: AgentSocket, raw: RawSocket): () => void {
    let isAlive = true;
    raw.on("pong", () => {
      isAlive = true;
    });
    const timer = setInterval(() => {
      if (!isAlive) return raw.terminate();
      isAlive = false;
      raw.ping();
      const session = this.open.get(socket);
      if (session)
        this.track(
          session.keep().then((isOwner) => {
            if (!isOwner) socket.close();
          }),
        );
    }, beatMs).unref();
    return () => clearInterval(timer);
  }

  private endOf(userId: number | undefined): void {
    for (const session of this.open.values())
      if (session !== null && (userId === undefined || session.userId === userId))
        this.track(session.fail(new CarrelError("agent-session.access-changed")));
  }

  private track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "an agent's session couldn't be kept up to date"),
      )
      .finally(() => this.parting.delete(tracked));
    this.parting.add(tracked);
  }
}

/** Counts a client's frames. */
class Allowance {
  ignored = 0;
  private left = burst;
  private at = performance.now();

  take(): boolean {
    const now = performance.now();
    this.left = Math.min(burst, this.left + ((now - this.at) / 1_000) * framesPerSecond);
    this.at = now;
    if (this.left < 1) {
      this.ignored += 1;
      return false;
    }
    this.left -= 1;
    return true;
  }
}
