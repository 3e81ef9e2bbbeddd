import { renderFault, type KnownFault } from "@carrel/contracts";
import type { FastifyReply } from "fastify";
import type { HttpFailure } from "./error-map.ts";
import { setFault } from "./fault-header.ts";
import { jsonType } from "./json-text.ts";

const text = "text/plain; charset=utf-8";

export function sendFailure(reply: FastifyReply, failure: HttpFailure): FastifyReply {
  reply.code(failure.status);
  setFault(reply, failure.fault);
  if (failure.retryAfter !== undefined) reply.header("retry-after", failure.retryAfter);
  if (failure.kind === "json") return reply.type(jsonType).send(JSON.stringify(failure.body));
  if (failure.kind === "text") return reply.type(text).send(failure.body);
  return reply.send();
}

/** For requests refused before they reach a route, which can't override the body. */
export function refuse(reply: FastifyReply, status: number, fault: KnownFault): FastifyReply {
  return sendFailure(reply, {
    status,
    kind: "json",
    body: { error: renderFault(fault) },
    fault,
  });
}
