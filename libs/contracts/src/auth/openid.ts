import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Carrel-specific: redirects the browser to the OpenID provider. */
export const startOpenId = defineOperation({
  name: "gateway.openid.start",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/auth/openid/start",
      summary: "Sign in through the OpenID provider",
    },
  ],
  input: z.object({ redirectTo: z.string().max(2048).optional() }),
  output: z.void(),
  success: { status: 302, kind: "empty" },
});

/**
 * Carrel-specific: callback of the OpenID provider; redirects to /sso/simple with a one-time token
 * or with `error`.
 */
export const finishOpenId = defineOperation({
  name: "gateway.openid.finish",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/auth/openid/callback",
      summary: "Return from the OpenID provider",
    },
  ],
  input: z.object({}).loose(),
  output: z.void(),
  success: { status: 302, kind: "empty" },
});

/**
 * Internal. `sealed` holds state, nonce and PKCE verifier; the gateway stores it in an HttpOnly
 * cookie for ten minutes. DISABLED if no provider is configured, UNAVAILABLE if it does not
 * respond.
 */
export const beginOpenId = defineOperation({
  name: "auth.openid.begin",
  service: "auth",
  access: { who: "internal" },
  timeoutMs: 15_000,
  input: z.object({ redirectUri: z.url(), redirectTo: z.string().nullable() }),
  output: z.object({ url: z.url(), sealed: z.string() }),
});

/**
 * Internal. Returns a single-use sign-in token valid for one minute, or UNAUTHENTICATED with a
 * readable reason.
 */
export const completeOpenId = defineOperation({
  name: "auth.openid.complete",
  service: "auth",
  access: { who: "internal" },
  timeoutMs: 20_000,
  input: z.object({
    callbackUrl: z.url(),
    sealed: z.string().max(8192),
    address: z.string().max(64).optional(),
  }),
  output: z.object({ token: z.string(), redirectTo: z.string().nullable() }),
});

export const openidContracts: Contracts = {
  operations: [startOpenId, finishOpenId, beginOpenId, completeOpenId],
};
