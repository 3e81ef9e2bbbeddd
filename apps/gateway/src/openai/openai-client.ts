import type { FastifyRequest } from "fastify";

/**
 * Whether OpenAI's own package (or a library built on it) sent a request. It insists on OpenAI's
 * protocol where older clients expect the differences of wire-contract 9.6.
 */
export const usesOpenAiPackage = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  headers["x-stainless-lang"] !== undefined;
