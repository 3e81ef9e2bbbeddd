import { z } from "zod";
import { principalSchema } from "../access.ts";
import { rowId } from "../coercion.ts";
import { outcomeWire, type ErrorReply } from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { ownerProof } from "./user.ts";
import { userWire } from "./user.ts";

/** Longest value accepted in a sign-in form; longer ones are rejected before any hashing. */
export const credential = z.string().max(1024);

/**
 * Internal: the only operation that checks credentials. Missing, malformed and stale ones fail with
 * UNAUTHENTICATED and the wire's text (wire-contract 1.1), an invalid key with KEY_REFUSED.
 */
export const authenticate = defineOperation({
  name: "auth.session.authenticate",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    bearer: z.string().max(8192).nullable(),
    credential: z.enum(["session", "key", "extension"]).default("session"),
  }),
  output: z.object({ principal: principalSchema }),
});

/** Rate-limit reply for routes whose failures are JSON of this shape. */
const tooMany: ErrorReply = {
  status: 429,
  kind: "json",
  body: { valid: false, user: null, token: null, message: "$message" },
};

/**
 * wire-contract 1.4. Carrel-specific: `code` is a one-time code or a recovery code, for accounts
 * with a second factor.
 */
export const requestToken = defineOperation({
  name: "auth.session.create",
  service: "auth",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/request-token",
      summary: "Exchange the instance password, or a username and password, for a session token",
    },
  ],
  input: z.object({
    password: credential.optional(),
    username: z.string().max(255).optional(),
    code: z.string().max(64).optional(),
    /**
     * The gateway sets the next three fields and overwrites whatever the client sent. Failed
     * attempts are counted per address and account.
     */
    address: z.string().max(64).optional(),
    userAgent: z.string().max(512).optional(),
    /** Signed proof that this browser has signed in to an account before. */
    device: z.string().max(1024).optional(),
  }),
  output: z.object({
    valid: z.boolean(),
    user: userWire.nullish(),
    token: z.string().nullable(),
    message: z.string().nullable(),
    recoveryCodes: z.array(z.string()).optional(),
    /** Read only by the gateway, which moves it from the body into a cookie. */
    device: z.string().optional(),
  }),
  errors: {
    REFUSED: {
      status: 200,
      kind: "json",
      body: { valid: false, user: null, token: null, message: "$message" },
    },
    PASSWORD_WRONG: {
      status: 401,
      kind: "json",
      body: { valid: false, token: null, message: "[003] Invalid password provided" },
    },
    BUSY: tooMany,
    TOO_MANY_ATTEMPTS: tooMany,
    DISABLED: {
      status: 403,
      kind: "json",
      body: {
        user: null,
        valid: false,
        token: null,
        message: "[005] Login via credentials has been disabled by the administrator.",
      },
    },
    // The original product replies with a bare 500 here, but a refusal is not a server error.
    PASSWORD_NOT_SET: {
      status: 401,
      kind: "json",
      body: { valid: false, token: null, message: "[003] Invalid password provided" },
    },
  },
});

/**
 * Single sign-on with a one-time token, either from `issueSignInToken` (valid for 6 minutes,
 * requires SSO to be enabled) or from an OpenID sign-in (1 minute).
 */
export const requestTokenBySignInToken = defineOperation({
  name: "auth.session.create-by-token",
  service: "auth",
  access: { who: "public" },
  idempotency: "none",
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/request-token/sso/simple",
      summary: "Exchange a one-time sign-in token for a session token",
    },
  ],
  input: z.object({
    token: z.string().max(255).default(""),
    address: z.string().max(64).optional(),
    userAgent: z.string().max(512).optional(),
  }),
  output: z.object({
    valid: z.boolean(),
    user: userWire.nullable(),
    token: z.string().nullable(),
    message: z.string().nullable(),
  }),
  errors: {
    UNAUTHENTICATED: {
      status: 401,
      kind: "json",
      body: { valid: false, token: null, message: "$message" },
    },
    BUSY: tooMany,
    TOO_MANY_ATTEMPTS: tooMany,
    DISABLED: { status: 403, kind: "text" },
  },
});

export const checkToken = defineOperation({
  name: "gateway.session.check",
  service: "gateway",
  access: { who: "session" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/check-token",
      summary: "Check whether the session token is valid",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/**
 * Refreshes the user object a client has stored; the guard has already rejected expired sessions.
 */
export const refreshUser = defineOperation({
  name: "auth.session.user",
  service: "auth",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/refresh-user",
      summary: "Get the signed-in user; null in single-user mode",
    },
  ],
  errors: {
    REFUSED: {
      status: 200,
      kind: "json",
      body: { success: false, user: null, message: "$message" },
    },
  },
  input: z.object({}),
  output: z.object({
    success: z.boolean(),
    user: userWire.nullable(),
    message: z.string().nullable(),
  }),
});

/**
 * Carrel-specific: proves that the owner uses the session, with the password and, if the account
 * has one, the one-time code. Routes with `proof` in their policy then work for ten minutes.
 */
export const confirmSession = defineOperation({
  name: "auth.session.confirm",
  service: "auth",
  access: { who: "session", proof: "handler" },
  idempotency: "none",
  routes: [
    {
      method: "POST",
      path: "/system/confirm-session",
      summary: "Confirm that you are the one using this session",
    },
  ],
  input: z.object(ownerProof),
  output: outcomeWire,
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    // 401 would mean that the session has ended.
    PASSWORD_WRONG: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    REFUSED: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});

/** Carrel-specific: ends the caller's session immediately, on every replica. */
export const signOut = defineOperation({
  name: "auth.session.end",
  service: "auth",
  access: { who: "session", proof: "none" },
  idempotency: "natural",
  mount: "custom",
  routes: [{ method: "POST", path: "/system/sign-out", summary: "Revoke this session" }],
  input: z.object({}),
  output: z.object({ success: z.boolean() }),
});

export const sessionWire = z.object({
  id: z.uuid(),
  current: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  method: z.string(),
});

/** Carrel-specific: the caller's active sessions, newest first. */
export const listSessions = defineOperation({
  name: "auth.session.list",
  service: "auth",
  access: { who: "session" },
  routes: [{ method: "GET", path: "/system/sessions", summary: "List your sessions" }],
  input: z.object({}),
  output: z.object({ sessions: z.array(sessionWire) }),
});

export const endSession = defineOperation({
  name: "auth.session.delete",
  service: "auth",
  access: { who: "session", proof: "none" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/sessions/:id",
      summary: "Revoke one of your sessions; `others` revokes all except this one",
    },
  ],
  input: z.object({ id: z.union([z.uuid(), z.literal("others")]) }),
  output: z.object({ success: z.boolean() }),
});

/** A password, mode, role, session or key changed: cached principals are invalid. */
export const accessChanged = defineEvent({
  name: "access.changed",
  service: "auth",
  consumers: ["chat"],
  payload: z.object({ userId: rowId.optional() }),
});

export const sessionContracts: Contracts = {
  operations: [
    authenticate,
    requestToken,
    requestTokenBySignInToken,
    checkToken,
    refreshUser,
    confirmSession,
    signOut,
    listSessions,
    endSession,
  ],
  events: [accessChanged],
};
