import { readWidgetPage, publicPrincipal, type Out } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyRequest } from "fastify";

export type WidgetPageInfo = NonNullable<Out<typeof readWidgetPage>["page"]>;

const uuidText = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const uuidOnly = new RegExp(`^${uuidText}$`, "i");
/** A preflight doesn't match any route. */
const visitorPath = new RegExp(`^/api/embed/(${uuidText})/[^?#]`, "i");

/** Which pages a widget may be used on. */
@Injectable()
export class WidgetPages {
  constructor(private readonly requests: RequestClient) {}

  /** null: no such widget. */
  async find(uuid: string): Promise<WidgetPageInfo | null> {
    if (!uuidOnly.test(uuid)) return null;
    const scope = { principal: publicPrincipal, workspace: null };
    return (await this.requests.request(readWidgetPage, { uuid }, { scope })).page;
  }
}

/** The widget that a visitor's request is for; null for all other requests. */
export function findWidgetUuid(
  request: Pick<FastifyRequest, "method" | "url" | "params" | "routeOptions">,
): string | null {
  if (request.method === "OPTIONS") return visitorPath.exec(request.url)?.[1] ?? null;
  if (request.routeOptions.config.endpoint?.access.widget !== true) return null;
  return String((request.params as { embedUuid?: unknown }).embedUuid);
}

const exposed = { "access-control-expose-headers": "Retry-After, Carrel-Error" };

/** Only pages of listed sites may read a reply (wire-contract 8.2). */
export function widgetCors(
  page: WidgetPageInfo | null,
  origin: string | undefined,
): Record<string, string> {
  const isAllowed =
    page !== null &&
    origin !== undefined &&
    (page.origins === null || page.origins.includes(origin));
  if (!isAllowed) return { vary: "Origin" };
  return {
    "access-control-allow-origin": page.origins === null ? "*" : origin,
    vary: "Origin",
    ...exposed,
  };
}

/** Allows any origin, so that a refused site can read why; the routes check the origin. */
export const preflightCors = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers": "Content-Type, Carrel-Visitor, Idempotency-Key",
  "access-control-max-age": "600",
};

/** Only tells a script why the chat doesn't work on its page. */
export const refusalCors = { "access-control-allow-origin": "*", ...exposed };
