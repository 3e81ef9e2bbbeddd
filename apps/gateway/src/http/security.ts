import type { ProcessConfig } from "@carrel/config";
import { serveMcp } from "@carrel/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Authenticator } from "../access/authenticator.ts";
import { readBearer } from "../access/bearer.ts";
import {
  findWidgetUuid,
  preflightCors,
  refusalCors,
  widgetCors,
  type WidgetPages,
} from "../widget/widget-cors.ts";
import {
  isCorsAllowed,
  isForeign,
  isOwnHost,
  originSettings,
  type RequestOrigin,
} from "./origin-rules.ts";
import { refuse } from "./send-reply.ts";

/**
 * Allows scripts and requests only from and to this instance; inline scripts only by hash. Inline
 * styles are allowed because components position themselves with them. `images`: additional origins
 * for pictures.
 */
export const pagePolicy = (
  scriptHashes: readonly string[] = [],
  images: readonly string[] = [],
): string =>
  [
    `default-src 'self'`,
    ["script-src 'self'", ...scriptHashes].join(" "),
    `connect-src 'self'`,
    ["img-src 'self' data: blob:", ...images].join(" "),
    `style-src 'self' 'unsafe-inline'`,
    `font-src 'self' data:`,
    `media-src 'self' blob:`,
    `worker-src 'self' blob:`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join("; ");

/**
 * An address's origin as a source for a policy; null for anything but web addresses, and for hosts
 * whose `;` or `,` would start another directive or policy.
 */
export function policySource(address: string): string | null {
  const origin = URL.canParse(address) ? new URL(address).origin : "";
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : null;
}

const pageHeaders = {
  "content-security-policy": pagePolicy(),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // Search engines find shared links through other pages, whatever robots.txt says.
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), payment=()",
};
const apiHeaders = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};
/** Probes use whatever address they were configured with, and these routes reveal nothing. */
const probes = new Set(["/livez", "/readyz"]);
/**
 * A preflight doesn't name its route: some routes below these paths accept a key, and only those
 * admit the actual request.
 */
const keyAreas = ["/api/v1/", "/api/browser-extension/"];

export function readOrigin(request: FastifyRequest): RequestOrigin {
  const { origin, referer, authorization } = request.headers;
  const [fetchSite, fetchMode, fetchDest] = ["site", "mode", "dest"]
    .map((name) => request.headers[`sec-fetch-${name}`])
    .map((value) => (typeof value === "string" ? value : undefined));
  const { config, url = "" } = request.routeOptions;
  const who = config.endpoint?.access.who;
  const takesKey =
    request.method === "OPTIONS"
      ? keyAreas.some((area) => request.url.startsWith(area))
      : // MCP has servers refuse other sites' pages, unless CARREL_CORS_ORIGINS lists them.
        (who === "key" && config.endpoint?.operation !== serveMcp) || who === "extension";
  // Uses the matched route rather than the raw URL, which can spell the same path differently
  // (%61pi).
  return {
    path: url,
    origin,
    host: request.host === "" ? undefined : request.host,
    takesKey,
    method: request.method,
    fetchSite,
    fetchMode,
    fetchDest,
    referer,
    authorization,
    changesState: config.endpoint?.changesState === true,
  };
}

/**
 * Applies the Host and Origin rules and the headers of docs/decisions/network-security.md before
 * any other handling.
 */
export function addSecurity(
  instance: FastifyInstance,
  config: ProcessConfig,
  authenticator: Authenticator,
  widgets: WidgetPages,
): void {
  const settings = originSettings(config);
  instance.addHook("onRequest", async (request, reply) => {
    const asked = readOrigin(request);
    if (probes.has(asked.path)) return;
    const isApi = asked.path === "/api" || asked.path.startsWith("/api/");
    const isDocs = asked.path === "/api/docs" || asked.path.startsWith("/api/docs/");
    reply.headers(isApi && !isDocs ? apiHeaders : pageHeaders);
    // A known host name makes the mode lookup unnecessary.
    if (!isOwnHost(asked.host, settings) && !(await authenticator.mode()).RequiresAuth) {
      return refuse(reply, 403, { code: "request.host-foreign" });
    }
    if (!isApi || isDocs) return;
    const widget = findWidgetUuid(request);
    if (widget !== null) {
      if (request.method === "OPTIONS") return reply.code(204).headers(preflightCors).send();
      reply.headers(widgetCors(await widgets.find(widget), asked.origin));
      return;
    }
    if (isCorsAllowed(asked, settings)) {
      reply.headers({
        "access-control-allow-origin": asked.origin!,
        vary: "Origin",
        "access-control-expose-headers": "Retry-After, Carrel-Error, WWW-Authenticate",
      });
      if (request.method === "OPTIONS") {
        return reply
          .code(204)
          .headers({
            "access-control-allow-methods": "GET, POST, PUT, DELETE",
            "access-control-allow-headers":
              "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Carrel-Stream, X-Timezone, X-Language, Mcp-Protocol-Version, Mcp-Method, Mcp-Name",
            "access-control-max-age": "600",
          })
          .send();
      }
    }
    if (
      isForeign(asked, settings) &&
      !(await authenticator.isProof(readBearer(request.headers.authorization)))
    ) {
      return refuse(reply, 403, { code: "request.origin-foreign" });
    }
  });
  instance.addHook("onSend", (request, reply, _payload, done) => {
    const isRefusal = reply.statusCode >= 400 && findWidgetUuid(request) !== null;
    if (isRefusal && !reply.hasHeader("access-control-allow-origin")) reply.headers(refusalCors);
    done();
  });
}
