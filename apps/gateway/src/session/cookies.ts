import type { InstanceConfig } from "@carrel/config";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSecure } from "../http/client-address.ts";

/** A cookie that only one address of ours gets to see, and no script. */
interface CookieKind {
  name: string;
  path: string;
  /** Default Strict. Lax: it comes along when another site's page leads to the address. */
  sameSite?: "Lax";
}

/** Only GET /setup-complete reads it: existing clients send no header there (docs/decisions/network-security.md). */
export const setupCookie: CookieKind = { name: "carrel_session", path: "/api/setup-complete" };
/** Proof that this browser signed in to an account before; only the login reads it. */
export const deviceCookie: CookieKind = { name: "carrel_device", path: "/api/request-token" };
export const deviceSeconds = 365 * 24 * 3_600;
/** Holds an OpenID sign-in between its two halves; the provider's site leads back to us. */
export const openIdCookie: CookieKind = {
  name: "carrel_openid",
  path: "/api/auth/openid",
  sameSite: "Lax",
};
export const openIdSeconds = 600;

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: InstanceConfig,
  kind: CookieKind,
  value: string,
  seconds: number,
): void {
  const secure =
    config.CARREL_PUBLIC_URL?.startsWith("https:") === true || isSecure(request) ? "; Secure" : "";
  void reply.header(
    "set-cookie",
    `${kind.name}=${value}; Path=${kind.path}; Max-Age=${seconds}; HttpOnly; SameSite=${kind.sameSite ?? "Strict"}${secure}`,
  );
}
