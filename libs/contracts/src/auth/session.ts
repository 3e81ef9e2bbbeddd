import { z } from "zod";
import { principalSchema } from "../access.ts";
import { userWire } from "./user.ts";
import { rowId } from "../coercion.ts";
import type { ErrorReply } from "../error-reply.ts";
import { defineEvent, defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** What a client may put into a form; longer ones are refused before anything is computed. */
export const credential = z.string().max(1024);

/**
 * Internal: the one authenticator. A missing, malformed or stale credential is UNAUTHENTICATED with
 * the wire's text (wire-contract 1.1), a bad key KEY_REFUSED.
 */
export const authenticate = defineOperation({
  name: "auth.session.authenticate",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({
    bearer: z.string().max(8192).nullable(),
    credential: z.enum(["session", "key", "extension"]).default("session"),
  }),
  output: z.object({ principal: principalSchema }),
});

/** Throttled on a route whose failures are JSON of this shape. */
const tooMany: ErrorReply = {
  status: 429,
  kind: "json",
  body: { valid: false, user: null, token: null, message: "$message" },
};

/**
 * wire-contract 1.4; ours: `code` is the one-time code or a recovery code of an account with a
 * second factor.
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
      summary: "Exchange the instance password, or user name and password, for a session token",
    },
  ],
  input: z.object({
    password: credential.optional(),
    username: z.string().max(255).optional(),
    code: z.string().max(64).optional(),
    /**
     * The next three are set by the gateway, whatever the client sent. Wrong tries are counted by
     * address and account.
     */
    address: z.string().max(64).optional(),
    userAgent: z.string().max(512).optional(),
    /** Signed proof that this browser signed in to an account before. */ device: z
      .string()
      .max(1024)
      .optional(),
  }),
  output: z.object({
    valid: z.boolean(),
    user: userWire.nullish(),
    token: z.string().nullable(),
    message: z.string().nullable(),
    recoveryCodes: z.array(z.string()).optional(),
    /** For the gateway alone, which turns it into a cookie and takes it out of the body. */
    device: z.string().optional(),
  }),
  errors: {
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
    // The wire's product answers a bare 500 here; a refusal is not a crash of ours.
    PASSWORD_NOT_SET: {
      status: 401,
      kind: "json",
      body: { valid: false, token: null, message: "[003] Invalid password provided" },
    },
  },
});

/**
 * Single sign-on by a one-time token: from `issueSignInToken` (6 minutes, SSO switched on) or from
 * an OpenID sign-in (1 minute).
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
      summary: "Whether the session token is valid",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/** Keeps the user that a client stored current; the guard has refused sessions that ended. */
export const refreshUser = defineOperation({
  name: "auth.session.user",
  service: "auth",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/refresh-user",
      summary: "The user of the session; null in single-user mode",
    },
  ],
  input: z.object({}),
  output: z.object({
    success: z.boolean(),
    user: userWire.nullable(),
    message: z.string().nullable(),
  }),
});

/** Ours: ends the session whose token is sent, at once and everywhere. */
export const signOut = defineOperation({
  name: "auth.session.end",
  service: "auth",
  access: { who: "session" },
  idempotency: "natural",
  mount: "custom",
  routes: [{ method: "POST", path: "/system/sign-out", summary: "End this session" }],
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

/** Ours: where the caller is signed in, newest first. */
export const listSessions = defineOperation({
  name: "auth.session.list",
  service: "auth",
  access: { who: "session" },
  routes: [{ method: "GET", path: "/system/sessions", summary: "Own sessions" }],
  input: z.object({}),
  output: z.object({ sessions: z.array(sessionWire) }),
});

export const endSession = defineOperation({
  name: "auth.session.delete",
  service: "auth",
  access: { who: "session" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/sessions/:id",
      summary: "End one of the own sessions; `others` ends all but this one",
    },
  ],
  input: z.object({ id: z.union([z.uuid(), z.literal("others")]) }),
  output: z.object({ success: z.boolean() }),
});

/** A password, a mode, a role, a session or a key changed: cached principals are void. */
export const accessChanged = defineEvent({
  name: "access.changed",
  service: "auth",
  consumers: [],
  payload: z.object({ userId: rowId.optional() }),
});

export const sessionContracts: Contracts = {
  operations: [
    authenticate,
    requestToken,
    requestTokenBySignInToken,
    checkToken,
    refreshUser,
    signOut,
    listSessions,
    endSession,
  ],
  events: [accessChanged],
};
