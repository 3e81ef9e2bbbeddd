import type { FastifyReply } from "fastify";

/** Content type of every JSON reply. */
export const jsonType = "application/json; charset=utf-8";

/** Sends JSON that a service built, without parsing it (docs/decisions/gateway.md). */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.code(200).type(jsonType).send(json);
