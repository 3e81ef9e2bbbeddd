import { metrics, type Logger } from "@carrel/observability";
import type { Redis } from "ioredis";
import { joinReply, openRequest, refusalOf, type ReplyHead, type RequestHead } from "./envelope.ts";
import type { RequestHandler } from "./handle.ts";
import type { MessageCipher } from "./message-cipher.ts";
import { group } from "./request-reader.ts";
import type { RequestCommands } from "./request-scripts.ts";
import { dropped, type Request, type RequestAnswer } from "./run-operation.ts";

const deadLetters = metrics.counter(
  "carrel_request_dead_total",
  "Requests delivered more than twice without a reply",
  ["service", "contract"],
);

export interface RequestEntriesOptions {
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
