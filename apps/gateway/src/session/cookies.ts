import type { ProcessConfig } from "@carrel/config";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSecure } from "../http/request-key.ts";

/** An HttpOnly cookie limited to one path. */
export interface CookieKind {
  name: string;
  path: string;
  /** Default Strict. Lax also sends it when another site navigates to the path. */
  sameSite?: "Lax";
}

/**
 * Read only by GET /setup-complete: existing clients send no header there
 * (docs/decisions/network-security.md).
 */
export const setupCookie: CookieKind = { name: "carrel_session", path: "/api/setup-complete" };
/**
 * Whose browser it is, where clients open an agent's socket: they send no header there. Other
 * people's sessions are refused.
 */
export const agentCookie: CookieKind = { name: "carrel_agent", path: "/api/agent-invocation" };
/** Proof that this browser has signed in to an account before; read only by the login. */
export const deviceCookie: CookieKind = { name: "carrel_device", path: "/api/request-token" };
export const deviceSeconds = 365 * 24 * 3_600;
/**
 * Carries an OpenID sign-in across the redirects; the provider's site sends the browser back to us.
 */
export const openIdCookie: CookieKind = {
  name: "carrel_openid",
  path: "/api/auth/openid",
  sameSite: "Lax",
};
export const openIdSeconds = 600;
/** The same for a sign-in to an MCP server. */
export const mcpSignInCookie: CookieKind = {
  name: "carrel_mcp",
  path: "/api/mcp-servers/callback",
  sameSite: "Lax",
};
export const mcpSignInSeconds = 600;
/** The same for a sign-in to Outlook. */
export const outlookCookie: CookieKind = {
  name: "carrel_outlook",
  path: "/api/agent-skills/outlook",
  sameSite: "Lax",
};
export const outlookSeconds = 600;

/** Gives the browser the cookies of its session. `seconds` 0 removes them. */
export function setSessionCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  config: ProcessConfig,
  token: string,
  seconds: number,
): void {
  for (const kind of [setupCookie, agentCookie])
    setCookie(request, reply, config, kind, token, seconds);
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: ProcessConfig,
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
