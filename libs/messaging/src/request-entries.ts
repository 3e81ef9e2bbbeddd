import type { Redis } from "ioredis";
import type { Operation } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { joinReply, type ReplyHead, type RequestHead } from "./envelope.ts";
import type { MessageCipher } from "./message-cipher.ts";
import { openRequest, refusalOf, type OpenedRequest } from "./open-request.ts";
import { deadLetters, dropped } from "./request-metrics.ts";
import { group } from "./request-reader.ts";
import type { RequestCommands } from "./request-scripts.ts";
import type { RequestAnswer } from "./run-operation.ts";

export interface RequestEntriesOptions {
  service: string;
  stream: string;
  redis: Redis & RequestCommands;
  operations: ReadonlyMap<string, Operation>;
  cipher: MessageCipher;
  logger: Logger;
}

/** Opens, answers and removes the entries of a service's request stream. */
export class RequestEntries {
  constructor(private readonly options: RequestEntriesOptions) {
    const { service, operations } = options;
    // Prometheus sees an increase only of a series that it read before.
    for (const contract of operations.keys()) deadLetters.inc({ service, contract }, 0);
  }

  /**
   * Returns null unless the request is complete, sealed by this instance, and for an operation of
   * this service.
   */
  open(id: string, fields: string[]): OpenedRequest | null {
    const { service, cipher, operations, logger } = this.options;
    const request = openRequest(fields, cipher, operations);
    if (!("fault" in request)) return request;
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
  async answer(id: string, head: RequestHead, answer: RequestAnswer): Promise<void> {
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

  private publish(head: RequestHead, answer: RequestAnswer): void {
    const { redis, cipher, logger } = this.options;
    const reply: ReplyHead = { id: head.id, ...(answer.error ? { error: answer.error } : {}) };
    redis
      .publish(head.replyTo, joinReply(cipher, JSON.stringify(reply), answer.body ?? ""))
      .catch((error: unknown) => logger.warn({ err: error }, "couldn't send a reply"));
  }
}
