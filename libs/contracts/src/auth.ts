import { z } from "zod";
import { principalSchema } from "./access.ts";
import { rowId } from "./coercion.ts";
import { defineEvent, defineOperation, type ErrorReply } from "./operation.ts";
import { userWire } from "./user.ts";

/** What a client may put into a form; longer ones are refused before anything is computed. */
export const credential = z.string().max(1024);
/** Throttled on a route whose failures are JSON of this shape. */
const tooMany: ErrorReply = {
  status: 429,
  kind: "json",
  body: { valid: false, user: null, token: null, message: "$message" },
};

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

/** Internal: what of /setup-complete belongs to auth. */
export const getAuthSettings = defineOperation({
  name: "auth.setting.get",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({}),
  output: z.object({
    RequiresAuth: z.boolean(),
    AuthToken: z.boolean(),
    JWTSecret: z.boolean(),
    MultiUserMode: z.boolean(),
    SimpleSSOEnabled: z.boolean(),
    SimpleSSONoLogin: z.boolean(),
    SimpleSSONoLoginRedirect: z.string().nullable(),
    /**
     * Ours: what the button says where people sign in through an OpenID provider; null where none
     * is set up.
     */
    OpenIDName: z.string().nullable(),
  }),
});

/**
 * wire-contract 1.4; ours: `code` is the one-time code or a recovery code of an account with a
 * second factor.
 */
export const requestToken = defineOperation({
  name: "auth.session.create",
  service: "auth",
  access: { who: "public" },
  http: {
    method: "POST",
    path: "/request-token",
    mount: "custom",
    summary: "Exchange the instance password, or user name and password, for a session token",
  },
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
  http: {
    method: "GET",
    path: "/request-token/sso/simple",
    mount: "custom",
    summary: "Exchange a one-time sign-in token for a session token",
  },
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
  http: {
    method: "GET",
    path: "/system/check-token",
    mount: "custom",
    summary: "Whether the session token is valid",
  },
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/** Keeps the user that a client stored current; the guard has refused sessions that ended. */
export const refreshUser = defineOperation({
  name: "auth.session.user",
  service: "auth",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/refresh-user",
    summary: "The user of the session; null in single-user mode",
  },
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
  http: { method: "POST", path: "/system/sign-out", mount: "custom", summary: "End this session" },
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
  http: { method: "GET", path: "/system/sessions", summary: "Own sessions" },
  input: z.object({}),
  output: z.object({ sessions: z.array(sessionWire) }),
});
export const endSession = defineOperation({
  name: "auth.session.delete",
  service: "auth",
  access: { who: "session" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/system/sessions/:id",
    summary: "End one of the own sessions; `others` ends all but this one",
  },
  input: z.object({ id: z.union([z.uuid(), z.literal("others")]) }),
  output: z.object({ success: z.boolean() }),
});

export const getMultiUserMode = defineOperation({
  name: "auth.mode.get",
  service: "auth",
  access: { who: "public" },
  http: {
    method: "GET",
    path: "/system/multi-user-mode",
    summary: "Whether the instance has user accounts",
  },
  input: z.object({}),
  output: z.object({ multiUserMode: z.boolean() }),
});

export const enableMultiUser = defineOperation({
  name: "auth.mode.enable-multi-user",
  service: "auth",
  access: { who: "session" },
  idempotency: "keyed",
  http: {
    method: "POST",
    path: "/system/enable-multi-user",
    summary:
      "Make the first admin and switch to user accounts; what had no owner becomes the admin's",
  },
  input: z.object({ username: z.string().max(255).default(""), password: credential.default("") }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});

/**
 * A refusal is `{success:false,error}` with 200: existing clients read `success` and `error`,
 * whatever the status.
 */
export const updatePassword = defineOperation({
  name: "auth.password.update",
  service: "auth",
  access: { who: "session", mode: "single" },
  idempotency: "none",
  http: {
    method: "POST",
    path: "/system/update-password",
    summary: "Set or remove the instance password",
  },
  input: z.object({ usePassword: z.boolean(), newPassword: credential.nullish() }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
  errors: { BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } } },
});

export const recoverAccount = defineOperation({
  name: "auth.recovery.recover",
  service: "auth",
  access: { who: "public" },
  idempotency: "none",
  http: {
    method: "POST",
    path: "/system/recover-account",
    mount: "custom",
    summary: "Exchange two recovery codes for a token that sets a new password",
  },
  input: z.object({
    username: z.string().max(255).default(""),
    recoveryCodes: z.array(z.string().max(64)).max(8).default([]),
    address: z.string().max(64).optional(),
  }),
  output: z.object({ success: z.boolean(), resetToken: z.string() }),
  errors: {
    BAD_INPUT: {
      status: 400,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
    BUSY: {
      status: 429,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
    TOO_MANY_ATTEMPTS: {
      status: 429,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
    DISABLED: { status: 403, kind: "json", body: { error: "Invalid request" } },
  },
});
export const resetPassword = defineOperation({
  name: "auth.recovery.reset",
  service: "auth",
  access: { who: "public" },
  idempotency: "none",
  http: {
    method: "POST",
    path: "/system/reset-password",
    mount: "custom",
    summary: "Set a new password with a reset token",
  },
  input: z.object({
    token: z.string().max(255).default(""),
    newPassword: credential.default(""),
    confirmPassword: credential.default(""),
    address: z.string().max(64).optional(),
  }),
  output: z.object({ success: z.boolean(), message: z.string() }),
  errors: {
    BAD_INPUT: {
      status: 400,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
    BUSY: {
      status: 429,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
    TOO_MANY_ATTEMPTS: {
      status: 429,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
    DISABLED: { status: 403, kind: "json", body: { error: "Invalid request" } },
  },
});

const ownSecret = {
  BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
  PASSWORD_WRONG: {
    status: 400,
    kind: "json",
    body: { success: false, error: "The password is not right." },
  },
  TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
} as const;
/** Ours: four new recovery codes; the old ones are void. */
export const renewRecoveryCodes = defineOperation({
  name: "auth.recovery.renew",
  service: "auth",
  access: { who: "session", mode: "multi" },
  errors: ownSecret,
  http: { method: "POST", path: "/system/recovery-codes", summary: "Make new recovery codes" },
  input: z.object({ password: credential.default("") }),
  output: z.object({
    success: z.boolean(),
    recoveryCodes: z.array(z.string()),
    error: z.string().nullable(),
  }),
});
/**
 * Ours, TOTP (RFC 6238, SHA-1, 6 digits, 30 s): a secret that does not hold until
 * `confirmSecondFactor`. `uri` is otpauth://.
 */
export const startSecondFactor = defineOperation({
  name: "auth.second-factor.start",
  service: "auth",
  access: { who: "session", mode: "multi" },
  errors: ownSecret,
  http: {
    method: "POST",
    path: "/system/second-factor",
    summary: "Begin to set up one-time codes",
  },
  input: z.object({ password: credential.default("") }),
  output: z.object({
    success: z.boolean(),
    secret: z.string(),
    uri: z.string(),
    error: z.string().nullable(),
  }),
});
export const confirmSecondFactor = defineOperation({
  name: "auth.second-factor.confirm",
  service: "auth",
  access: { who: "session", mode: "multi" },
  errors: ownSecret,
  http: {
    method: "POST",
    path: "/system/second-factor/confirm",
    summary: "Prove the one-time codes; from now on the login asks for them",
  },
  input: z.object({ code: z.string().max(64).default("") }),
  output: z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    /** New ones, when the user had fewer than two left. */ recoveryCodes: z
      .array(z.string())
      .optional(),
  }),
});
export const removeSecondFactor = defineOperation({
  name: "auth.second-factor.remove",
  service: "auth",
  access: { who: "session", mode: "multi" },
  errors: ownSecret,
  http: {
    method: "DELETE",
    path: "/system/second-factor",
    summary: "The login no longer asks for one-time codes",
  },
  input: z.object({ password: credential.default("") }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

/** Ours: sends the browser to the OpenID provider. */
export const startOpenId = defineOperation({
  name: "gateway.openid.start",
  service: "gateway",
  access: { who: "public" },
  http: {
    method: "GET",
    path: "/auth/openid/start",
    mount: "custom",
    summary: "Sign in through the OpenID provider",
  },
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
  http: {
    method: "GET",
    path: "/auth/openid/callback",
    mount: "custom",
    summary: "Return from the OpenID provider",
  },
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

/** A password, a mode, a role, a session or a key changed: cached principals are void. */
export const accessChanged = defineEvent({
  name: "access.changed",
  service: "auth",
  consumers: [],
  payload: z.object({ userId: rowId.optional() }),
});
/**
 * Multi-user mode is on: each service moves the rows without an owner to the first admin
 * (`OwnerTransfer` in libs/messaging). `at` is ISO-8601.
 */
export const multiUserEnabled = defineEvent({
  name: "mode.multi-user-enabled",
  service: "auth",
  consumers: ["workspace", "chat", "ingest"],
  payload: z.object({ adminId: z.number().int(), at: z.string() }),
});
/**
 * For the event log: what happened, who did it (null: nobody signed in), from where and to what.
 * Kept by the workspace service under `id`.
 */
export const eventLogged = defineEvent({
  name: "event.logged",
  service: "auth",
  consumers: ["workspace"],
  payload: z.object({
    id: z.uuid(),
    event: z.string().max(100),
    userId: z.number().int().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
});
