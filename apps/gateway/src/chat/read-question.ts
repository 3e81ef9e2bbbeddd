import { randomUUID } from "node:crypto";
import { CarrelError, clipText, renderFault, type KnownFault } from "@carrel/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { setFault } from "../http/fault-header.ts";

const longestMessage = 200_000;

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
export function readClientInfo(headers: FastifyRequest["headers"]): {
  timeZone?: string;
  locale?: string;
} {
  const [timeZone, locale] = [headers["x-timezone"], headers["x-language"]];
  return {
    ...(typeof timeZone === "string" && /^[A-Za-z0-9_+/-]{1,64}$/.test(timeZone) && { timeZone }),
    ...(typeof locale === "string" && /^[A-Za-z0-9-]{1,35}$/.test(locale) && { locale }),
  };
}

/**
 * Existing clients refer to the default thread by omitting the slug, an empty text or the words
 * `null` and `undefined`; null is the default thread. Characters PostgreSQL cannot store are
 * removed or replaced.
 */
export function readThreadSlug(text: string | undefined): string | null {
  const slug = clipText((text ?? "").replaceAll("\0", "").trim(), 255);
  return ["", "null", "undefined"].includes(slug) ? null : slug;
}
