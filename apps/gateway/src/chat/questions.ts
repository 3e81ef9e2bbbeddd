import { randomUUID } from "node:crypto";
import {
  CarrelError,
  renderFault,
  startGeneration,
  type Args,
  type In,
  type KnownFault,
  type Out,
  type Scope,
  type streamChat,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { setFault } from "../http/fault-header.ts";
import { requestKey } from "../http/request-key.ts";
import { ChatImages } from "./chat-images.ts";

const longestMessage = 200_000;

type Asked = Omit<Args<typeof startGeneration>, "attachments" | "timeZone" | "locale"> & {
  attachments?: In<typeof streamChat>["attachments"];
};

/** Starts answers on behalf of all routes that ask questions. */
@Injectable()
export class Questions {
  constructor(
    private readonly requests: RequestClient,
    private readonly images: ChatImages,
  ) {}

  /** Keeps the question's images and starts its answer. */
  start(
    { attachments, ...asked }: Asked,
    { request, scope }: { request: FastifyRequest; scope: Scope },
  ): Promise<Out<typeof startGeneration>> {
    return this.images.keep(attachments ?? [], async (stored) => {
      const result = await this.requests.request(
        startGeneration,
        { ...asked, attachments: stored, ...readClientInfo(request.headers) },
        { scope, idempotencyKey: requestKey(request) },
      );
      return { result, isUsed: result.generationId !== null };
    });
  }
}

/** null for what the wire considers empty: blank, absent or not text. */
export function readMessage(message: unknown): string | null {
  if (typeof message !== "string" || message.trim() === "") return null;
  if (Buffer.byteLength(message) > longestMessage)
    throw new CarrelError("chat.message-too-long", { kilobytes: 200 });
  return message;
}

/** The wire's body for failures before a stream (wire-contract 4.1). */
export function sendAbort(reply: FastifyReply, status: number, fault: KnownFault): FastifyReply {
  setFault(reply, fault);
  return reply.code(status).send({
    id: randomUUID(),
    type: "abort",
    textResponse: null,
    sources: [],
    close: true,
    error: renderFault(fault),
  });
}

/** For dates in prompts; malformed headers are not passed on. */
function readClientInfo(headers: FastifyRequest["headers"]): {
  timeZone?: string;
  locale?: string;
} {
  const [timeZone, locale] = [headers["x-timezone"], headers["x-language"]];
  return {
    ...(typeof timeZone === "string" && /^[A-Za-z0-9_+/-]{1,64}$/.test(timeZone) && { timeZone }),
    ...(typeof locale === "string" && /^[A-Za-z0-9-]{1,35}$/.test(locale) && { locale }),
  };
}
