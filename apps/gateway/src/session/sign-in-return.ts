import type { ProcessConfig } from "@carrel/config";
import { CarrelError } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie } from "../access/bearer.ts";
import { encodeFault } from "../http/fault-header.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { setCookie, type CookieKind } from "./cookies.ts";

/**
 * What a browser brings back from another site's sign-in page: the cookie it was given before
 * (null: none), and the address it was sent to. Each cookie is valid for one attempt, whatever its
 * outcome.
 */
export function takeReturn(
  request: FastifyRequest,
  reply: FastifyReply,
  config: ProcessConfig,
  { cookie, path }: { cookie: CookieKind; path: string },
): { sealed: string | null; callbackUrl: string } {
  setCookie(request, reply, config, cookie, "", 0);
  const url = request.raw.url ?? "";
  const start = url.indexOf("?");
  return {
    sealed: readCookie(request.headers.cookie, cookie.name),
    callbackUrl: `${publicOrigin(request, config)}${path}${start === -1 ? "" : url.slice(start)}`,
  };
}

/** Redirects to the address that `find` returns, or to a page of the web app that shows its fault. */
export async function redirectOr(
  page: string,
  { reply, logger, failed }: { reply: FastifyReply; logger: Logger; failed: string },
  find: () => Promise<string>,
): Promise<void> {
  let address: string;
  try {
    address = await find();
  } catch (error) {
    const isKnown = error instanceof CarrelError && error.kind !== "INTERNAL";
    if (!isKnown) logger.error({ err: error }, failed);
    const fault = encodeFault(isKnown ? error : new CarrelError("request.failed"));
    address = withQuery(page, { fault });
  }
  await reply.code(302).header("location", address).send();
}

/** @param page may have a query already */
export const withQuery = (page: string, query: Record<string, string>): string =>
  `${page}${page.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;
