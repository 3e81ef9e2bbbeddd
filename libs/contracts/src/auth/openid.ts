import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Ours: sends the browser to the OpenID provider. */
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
 * Ours: where the OpenID provider sends the browser back; leads on to /sso/simple with a one-time
 * token, or with `error`.
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
 * Internal. `sealed` holds state, nonce and PKCE verifier; the gateway keeps it in an HttpOnly
 * cookie of ten minutes. DISABLED where no provider is set up, UNAVAILABLE where it does not
 * answer.
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
 * Internal. Gives a sign-in token of one minute, for one use, or UNAUTHENTICATED with the reason in
 * words.
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
