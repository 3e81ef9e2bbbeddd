import { z } from "zod";
import { principalSchema } from "../access.ts";
import { rowId } from "../coercion.ts";
import { byKey, refusedKey } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * Internal: issues the 6-minute token of simple SSO and invalidates the user's earlier ones.
 * DISABLED without SIMPLE_SSO_ENABLED, NOT_FOUND for an unknown user.
 */
export const issueSignInToken = defineOperation({
  name: "auth.sign-in-token.create",
  service: "auth",
  access: { who: "internal" },
  idempotency: "none",
  routes: [
    {
      ...byKey("admin"),
      name: "gateway.developer.issue-auth-token",
      method: "GET",
      path: "/v1/users/:id/issue-auth-token",
      summary: "Issue a one-time sign-in token for a user (simple SSO)",
      input: z.object({ id: rowId }).transform(({ id }) => ({ userId: id })),
      errors: {
        ...refusedKey,
        DISABLED: { status: 403, kind: "text" },
        NOT_FOUND: { status: 404, kind: "json", body: { error: "User not found" } },
      },
    },
  ],
  input: z.object({ userId: rowId }),
  output: z.object({ token: z.string(), loginPath: z.string() }),
});

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

/**
 * Internal. The person whom an access token for the MCP server stands for; `slug` is the workspace
 * in its address. KEY_REFUSED unless the OpenID provider issued it for this address; UNAUTHENTICATED
 * with a readable reason if the person has no access.
 */
export const authenticateAccessToken = defineOperation({
  name: "auth.openid.authenticate",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 20_000,
  input: z.object({ token: z.string().max(8192), slug: z.string().nullable() }),
  output: z.object({ principal: principalSchema }),
});

export const openidContracts: Contracts = {
  operations: [
    startOpenId,
    finishOpenId,
    beginOpenId,
    completeOpenId,
    authenticateAccessToken,
    issueSignInToken,
  ],
};
