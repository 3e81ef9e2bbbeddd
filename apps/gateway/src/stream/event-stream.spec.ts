import { EventEmitter } from "node:events";
import { CarrelError, type Principal } from "@carrel/contracts";
import type { Broadcast } from "@carrel/messaging";
import { describe, expect, it } from "@jest/globals";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticator } from "../access/authenticator.ts";
import { EventStreams } from "./event-stream.ts";

const principal: Principal = { kind: "user", userId: 3, role: "default" };

/** A connection that records what is written to it. */
function connect(
  bearer: string,
  isCarrel = false,
): {
  request: FastifyRequest;
  reply: FastifyReply;
  written: string[];
  ended: () => boolean;
} {
  const written: string[] = [];
  let isEnded = false;
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    socket: { destroyed: false, setNoDelay: () => undefined },
    setHeader: () => undefined,
    writeHead: () => undefined,
    flushHeaders: () => undefined,
    write: (text: string) => {
      written.push(text);
      return true;
    },
    end: () => {
      isEnded = true;
      raw.emit("close");
    },
  });
  return {
    request: {
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(isCarrel && { "x-carrel-stream": "1" }),
      },
    } as unknown as FastifyRequest,
    reply: { hijack: () => undefined, getHeaders: () => ({}), raw } as unknown as FastifyReply,
    written,
    ended: () => isEnded,
  };
}

function streamsOf(sessions: Map<string, CarrelError | null>): {
  streams: EventStreams;
  change: (userId?: number) => void;
} {
  let listener: (payload: unknown) => void = () => undefined;
  const authenticator = {
    principal: (bearer: string) => {
      const fault = sessions.get(bearer) ?? null;
      return fault === null ? Promise.resolve(principal) : Promise.reject(fault);
    },
  } as unknown as Authenticator;
  const broadcast = {
    on: (_channel: string, receive: (payload: unknown) => void) => {
      listener = receive;
      return () => undefined;
    },
  } as unknown as Broadcast;
  return {
    streams: new EventStreams(authenticator, broadcast),
    change: (userId) => listener(userId === undefined ? {} : { userId }),
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("EventStreams", () => {
  it("a stopping gateway ends what can be resumed elsewhere, and lets other answers go on", async () => {
    const { streams } = streamsOf(new Map());
    const [watcher, started, unstarted, plain] = [
      connect("a"),
      connect("b", true),
      connect("c", true),
      connect("d"),
    ];
    streams.watch(watcher.request, watcher.reply, { principal });
    await streams.start(started.request, started.reply).send("first", 1);
    const answer = streams.start(unstarted.request, unstarted.reply);
    const whole = streams.start(plain.request, plain.reply);
    const ended = (): boolean[] => [watcher, started, unstarted, plain].map((each) => each.ended());
    streams.leave();
    expect(ended()).toEqual([true, true, false, false]);
    // The first frame tells the client which answer to resume.
    await answer.send("first", 1);
    expect(ended()).toEqual([true, true, true, false]);
    expect(unstarted.written).toEqual(["id: 1\ndata: first\n\n"]);
    await whole.send("text");
    streams.stopAll();
    expect([whole.signal.aborted, whole.leftByClient]).toEqual([true, false]);
    await whole.send("cut short");
    expect(plain.written).toEqual(["data: text\n\n", "data: cut short\n\n"]);
    whole.end();
    expect(ended()).toEqual([true, true, true, true]);
    const late = connect("e");
    streams.watch(late.request, late.reply, { principal });
    expect(late.ended()).toBe(true);
    streams.onModuleDestroy();
  });

  it("ends only the streams of a user whose access changed, after a farewell message", () => {
    const { streams, change } = streamsOf(new Map());
    const [own, other] = [connect("a"), connect("b")];
    streams.watch(own.request, own.reply, { principal, farewell: "bye" });
    streams.watch(other.request, other.reply, { principal: { ...principal, userId: 4 } });
    change(3);
    expect([own.ended(), other.ended()]).toEqual([true, false]);
    expect(own.written).toEqual(["data: bye\n\n"]);
    change();
    expect(other.ended()).toBe(true);
    streams.onModuleDestroy();
  });

  it("ends every stream whose session has expired, even without an event, but not while auth is unreachable", async () => {
    const sessions = new Map<string, CarrelError | null>();
    const { streams } = streamsOf(sessions);
    const [answer, watcher, valid] = [connect("a"), connect("b"), connect("c")];
    streams.start(answer.request, answer.reply);
    streams.watch(watcher.request, watcher.reply, { principal });
    streams.start(valid.request, valid.reply);
    for (const bearer of ["a", "b", "c"]) sessions.set(bearer, new CarrelError("request.stopping"));
    streams.checkSessions();
    await settled();
    expect([answer, watcher, valid].map((each) => each.ended())).toEqual([false, false, false]);
    for (const bearer of ["a", "b"]) sessions.set(bearer, new CarrelError("access.token-invalid"));
    streams.checkSessions();
    await settled();
    expect([answer, watcher, valid].map((each) => each.ended())).toEqual([true, true, false]);
    streams.onModuleDestroy();
  });
});
