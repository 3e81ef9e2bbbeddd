import { renderFault, type KnownFault } from "@carrel/contracts";
import type { FastifyReply } from "fastify";
import type { HttpFailure } from "./error-map.ts";
import { setFault } from "./fault-header.ts";

/** Content type of every JSON reply. */
export const jsonType = "application/json; charset=utf-8";

/** Sends JSON that a service built, without parsing it (docs/decisions/gateway.md). */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.code(200).type(jsonType).send(json);

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
