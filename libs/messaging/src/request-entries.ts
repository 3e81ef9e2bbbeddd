import { setTimeout as pause } from "node:timers/promises";
import { metrics, type Logger } from "@carrel/observability";
import type { Redis } from "ioredis";
import { joinReply, openRequest, refusalOf, type ReplyHead, type RequestHead } from "./envelope.ts";
import type { RequestHandler } from "./handle.ts";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { dropped, type Request, type RequestAnswer } from "./run-operation.ts";

/** The consumer group shared by a service's replicas. */
export const group = "replicas";
/**
 * The pulse detects a lost group, so a read may block for long, but a live consumer must not appear
 * silent.
 */
const blockMs = 60_000;
/** When stopping, how long to wait for the read to end. */
const unblockMs = 2_500;

/** An entry of a Redis Stream; its fields are null once it is deleted. */
export type Entry = [id: string, fields: string[] | null];

export interface RequestReaderOptions {
  service: string;
  stream: string;
  consumer: string;
  connections: RedisConnections;
  redis: Redis;
  /** How many more entries can be taken now. */
  room: () => number;
  take: (entry: Entry) => void;
}

/** Reads new entries of a service's request stream while there is room for them. */
export class RequestReader {
  private blocking: Redis | undefined;
  private blockingId = 0;
  /** The connection was replaced; its ID can be queried once the read in flight has ended. */
  private isIdStale = false;
  private reading: Promise<void> = Promise.resolve();
  private onWake: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: RequestReaderOptions) {}

  async start(): Promise<void> {
    await this.ensureGroup();
    this.blocking = this.options.connections.open(`rpc-${this.options.service}`);
    this.blocking.on("close", () => {
      this.isIdStale = true;
    });
    this.blockingId = await this.blocking.client("ID");
    this.reading = this.read();
  }

  /** Resumes reading once there is room again. */
  wake(): void {
    this.onWake?.();
    this.onWake = undefined;
  }

  /** Ends the blocking read without losing entries it has just received. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    const blocking = this.blocking;
    if (!blocking) return;
    const ended = new AbortController();
    const sleep = (ms: number): Promise<void> =>
      pause(ms, undefined, { signal: ended.signal }).catch(() => undefined);
    const unblock = async (): Promise<void> => {
      // Repeatedly, because the first one may overtake a read that is just being sent.
      while (!ended.signal.aborted) {
        if (blocking.status === "ready")
          await this.options.redis.client("UNBLOCK", this.blockingId).catch(() => 0);
        await sleep(100);
      }
    };
    void unblock();
    // Nothing ends the read if Redis is down or the connection's ID isn't known yet.
    await Promise.race([this.reading, sleep(unblockMs)]);
    ended.abort();
    this.options.connections.release(blocking);
    await this.reading;
  }

  async ensureGroup(): Promise<void> {
    try {
      // From 0, so that requests sent before the group existed (or before it was lost) are answered
      // too.
      await this.options.redis.xgroup("CREATE", this.options.stream, group, "0", "MKSTREAM");
    } catch (error) {
      if (!String(error).includes("BUSYGROUP")) throw error;
    }
  }

  private async read(): Promise<void> {
    const { stream, consumer, room, take } = this.options;
    while (!this.stopped) {
      if (room() <= 0) {
        await new Promise<void>((resolve) => {
          this.onWake = resolve;
        });
        continue;
      }
      try {
        if (this.isIdStale) {
          this.isIdStale = false;
          this.blockingId = await this.blocking!.client("ID");
        }
        // Small batches leave the rest of a burst to the other replicas.
        const reply = (await this.blocking!.xreadgroup(
          "GROUP",
          group,
          consumer,
          "COUNT",
          Math.min(room(), 16),
          "BLOCK",
          blockMs,
          "STREAMS",
          stream,
          ">",
        )) as [string, Entry[]][] | null;
        for (const [, entries] of reply ?? []) for (const entry of entries) take(entry);
      } catch (error) {
        if (this.stopped) return;
        if (String(error).includes("NOGROUP")) await this.ensureGroup().catch(() => pause(200));
        else await pause(200);
      }
    }
  }
}

/**
 * The name includes the format of its entries, so that replicas of a version with another format
 * leave them alone (docs/decisions/messaging.md).
 */
export const requestStream = (service: string): string => `rpc:sealed:${service}`;

/** The commands these scripts add to a connection. */
export interface RequestCommands {
  /** Adds a request; returns null if `limit` requests are already waiting. */
  carrelSend(stream: string, limit: number, head: string, sealed: string): Promise<string | null>;
  /** Deletes a request that no replica has taken; returns 1 if it did so. */
  carrelWithdraw(stream: string, group: string, id: string): Promise<number>;
  /** Renews the entries still owned by `consumer` and returns their IDs. */
  carrelRenew(stream: string, group: string, consumer: string, ...ids: string[]): Promise<string[]>;
  /**
   * Acknowledges and deletes in one step: a crash between the two would leave an entry without an
   * owner.
   */
  carrelDone(stream: string, group: string, ...ids: string[]): Promise<number>;
}

const scripts = {
  carrelSend: `if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return false end
return redis.call('XADD', KEYS[1], '*', 'h', ARGV[2], 'b', ARGV[3])`,
  carrelWithdraw: `local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if not pending['err'] and pending[1] then return 0 end
return redis.call('XDEL', KEYS[1], ARGV[2])`,
  carrelRenew: `local owned = {}
for index = 3, #ARGV do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[index], ARGV[index], 1)
  if pending[1] and pending[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[index], 'JUSTID')
    owned[#owned + 1] = ARGV[index]
  end
end
return owned`,
  carrelDone: `for index = 2, #ARGV do
  pcall(redis.call, 'XACK', KEYS[1], ARGV[1], ARGV[index])
  redis.call('XDEL', KEYS[1], ARGV[index])
end
return 1`,
};

/** How long to wait for Redis, given that the caller's deadline has passed. */
const withdrawMs = 250;

/**
 * Deletes a request that no replica has taken, so that requests to a service that is down don't
 * pile up. Resolves to false if it may have been taken.
 */
export async function withdraw(
  redis: RequestCommands,
  stream: string,
  entry: string,
): Promise<boolean> {
  const deleted = redis.carrelWithdraw(stream, group, entry).catch(() => 0);
  return (await Promise.race([deleted, pause(withdrawMs, 0, { ref: false })])) === 1;
}

/** Defines the scripts on a connection; safe to call twice. */
export function withRequestScripts(redis: Redis): Redis & RequestCommands {
  for (const [name, lua] of Object.entries(scripts))
    if (!(name in redis)) redis.defineCommand(name, { numberOfKeys: 1, lua });
  return redis as Redis & RequestCommands;
}

const deadLetters = metrics.counter(
  "carrel_request_dead_total",
  "Requests delivered more than twice without a reply",
  ["service", "contract"],
);

interface RequestEntriesOptions {
  service: string;
  stream: string;
  redis: Redis & RequestCommands;
  handlers: ReadonlyMap<string, RequestHandler>;
  cipher: MessageCipher;
  logger: Logger;
}

/** Opens, answers and removes the entries of a service's request stream. */
export class RequestEntries {
  constructor(private readonly options: RequestEntriesOptions) {
    const { service, handlers } = options;
    // Prometheus sees an increase only in a series that it has read before.
    for (const contract of handlers.keys()) deadLetters.inc({ service, contract }, 0);
  }

  /**
   * Returns null unless the request is complete, sealed by this instance, and for an operation of
   * this service.
   */
  open(id: string, fields: string[]): Request | null {
    const { service, cipher, handlers, logger } = this.options;
    const request = openRequest(fields, cipher, handlers);
    if (!("fault" in request)) return { ...request, input: JSON.parse(request.body) };
    if (request.fault === "unsealed") {
      dropped.inc({ service, reason: "unsealed" });
      logger.warn({ entry: id }, "dropped a request that this instance didn't seal");
    } else {
      dropped.inc({ service, reason: `unknown ${request.fault}` });
      this.publish(request.head, { error: refusalOf(request) });
    }
    return null;
  }

  /** Both commands are issued in the same tick and therefore sent in one packet. */
  async answer(id: string, head: RequestHead, answer: RequestAnswer<string>): Promise<void> {
    this.publish(head, answer);
    await this.remove(id);
  }

  async remove(id: string): Promise<void> {
    const { redis, stream } = this.options;
    await redis.carrelDone(stream, group, id);
  }

  async drop(id: string, reason: string): Promise<void> {
    dropped.inc({ service: this.options.service, reason });
    await this.remove(id);
  }

  /** Keeps a request that crashed every replica it ran on for inspection; it is never run again. */
  async bury(id: string, fields: string[], head: RequestHead): Promise<void> {
    const { service, redis, stream, logger } = this.options;
    deadLetters.inc({ service, contract: head.contract });
    logger.error(
      { contract: head.contract, requestId: head.requestId },
      "gave up on a request: every replica that took it stopped responding",
    );
    await redis.xadd(`${stream}:dead`, "MAXLEN", "~", 1_000, "*", ...fields);
    await this.answer(id, head, { error: { code: "request.given-up" } });
  }

  private publish(head: RequestHead, answer: RequestAnswer<string>): void {
    const { redis, cipher, logger } = this.options;
    const [reply, body]: [ReplyHead, string] = answer.error
      ? [{ id: head.id, error: answer.error }, ""]
      : [{ id: head.id }, answer.reply];
    redis
      .publish(head.replyTo, joinReply(cipher, JSON.stringify(reply), body))
      .catch((error: unknown) => logger.warn({ err: error }, "couldn't send a reply"));
  }
}

/**
 * Removes the requests that older versions left in Redis in clear text, and makes Redis rewrite its
 * append-only file, which still contains past ones. A stream on which a replica of such a version
 * still works is left alone until the next start.
 */
export async function removeUnsealedRequests(
  redis: Redis,
  service: string,
  logger: Logger,
): Promise<void> {
  const stream = `rpc:${service}`;
  try {
    let removed = await redis.unlink(`${stream}:dead`);
    if ((await redis.xlen(stream)) === 0) removed += await redis.unlink(stream);
    if (removed > 0) await redis.bgrewriteaof();
  } catch (error) {
    logger.warn({ err: error, service }, "couldn't remove requests of an earlier version");
  }
}
