import { z } from "zod";
import { refusedOutcome } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { credential } from "./session.ts";
import { instanceProof, ownerProof } from "./user.ts";

const ownSecret = {
  BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
  PASSWORD_WRONG: {
    status: 400,
    kind: "json",
    body: { success: false, error: "The password is incorrect." },
  },
  TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  REFUSED: { status: 400, kind: "json", body: { success: false, error: "$message" } },
  BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
} as const;

/** Carrel-specific: issues four new recovery codes and invalidates the old ones. */
export const renewRecoveryCodes = defineOperation({
  name: "auth.recovery.renew",
  service: "auth",
  access: { who: "session", mode: "multi", proof: "handler" },
  errors: ownSecret,
  routes: [
    { method: "POST", path: "/system/recovery-codes", summary: "Generate new recovery codes" },
  ],
  input: z.object(ownerProof),
  output: z.object({
    success: z.boolean(),
    recoveryCodes: z.array(z.string()),
    error: z.string().nullable(),
  }),
});

/**
 * Carrel-specific, TOTP (RFC 6238, SHA-1, 6 digits, 30 s): creates a secret that takes effect with
 * `confirmSecondFactor`. `uri` is otpauth://.
 */
export const startSecondFactor = defineOperation({
  name: "auth.second-factor.start",
  service: "auth",
  access: { who: "session", mode: "multi", proof: "handler" },
  errors: ownSecret,
  routes: [
    {
      method: "POST",
      path: "/system/second-factor",
      summary: "Start setting up two-factor authentication",
    },
  ],
  input: z.object(ownerProof),
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
  access: { who: "session", mode: "multi", proof: "none" },
  errors: ownSecret,
  routes: [
    {
      method: "POST",
      path: "/system/second-factor/confirm",
      summary: "Confirm two-factor authentication; sign-in requires a code from now on",
    },
  ],
  input: z.object({ code: z.string().max(64).default("") }),
  output: z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    /** New codes, issued if the user had fewer than two left. */
    recoveryCodes: z.array(z.string()).optional(),
  }),
});

export const removeSecondFactor = defineOperation({
  name: "auth.second-factor.remove",
  service: "auth",
  access: { who: "session", mode: "multi", proof: "handler" },
  errors: ownSecret,
  routes: [
    {
      method: "DELETE",
      path: "/system/second-factor",
      summary: "Turn off two-factor authentication",
    },
  ],
  input: z.object(ownerProof),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

/** Carrel-specific: the rules for an account's password, for people about to choose one. */
export const getPasswordRules = defineOperation({
  name: "auth.password.rules",
  service: "auth",
  access: { who: "public" },
  routes: [
    {
      method: "GET",
      path: "/password-rules",
      summary: "Get the rules for passwords of accounts",
    },
  ],
  input: z.object({}),
  output: z.object({
    shortest: z.number().int(),
    longest: z.number().int(),
    /** Minimum numbers of characters; 0 means no rule. */
    lowercase: z.number().int(),
    uppercase: z.number().int(),
    digits: z.number().int(),
    symbols: z.number().int(),
    /** How many of these four rules must be met. */
    needed: z.number().int(),
  }),
});

/**
 * Replacing a password needs the current one or a recent sign-in. Refusals are
 * `{success:false,error}` with status 200: existing clients read `success` and `error` regardless
 * of the status.
 */
export const updatePassword = defineOperation({
  name: "auth.password.update",
  service: "auth",
  access: { who: "session", mode: "single", proof: "handler" },
  idempotency: "none",
  routes: [
    {
      method: "POST",
      path: "/system/update-password",
      summary: "Set or remove the instance password",
    },
  ],
  input: z.object({
    usePassword: z.boolean(),
    newPassword: credential.nullish(),
    ...instanceProof,
  }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
  errors: {
    ...refusedOutcome,
    PASSWORD_WRONG: { status: 200, kind: "json", body: { success: false, error: "$message" } },
    TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});

export const recoverAccount = defineOperation({
  name: "auth.recovery.recover",
  service: "auth",
  access: { who: "public" },
  idempotency: "none",
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/system/recover-account",
      summary: "Exchange two recovery codes for a token that sets a new password",
    },
  ],
  input: z.object({
    username: z.string().max(255).default(""),
    recoveryCodes: z.array(z.string().max(64)).max(8).default([]),
    address: z.string().max(64).optional(),
  }),
  output: z.object({ success: z.boolean(), resetToken: z.string() }),
  errors: {
    REFUSED: {
      status: 400,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
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
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/system/reset-password",
      summary: "Set a new password with a reset token",
    },
  ],
  input: z.object({
    token: z.string().max(255).default(""),
    newPassword: credential.default(""),
    confirmPassword: credential.default(""),
    address: z.string().max(64).optional(),
  }),
  output: z.object({ success: z.boolean(), message: z.string() }),
  errors: {
    REFUSED: {
      status: 400,
      kind: "json",
      body: { success: false, message: "$message", error: "$message" },
    },
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

export const passwordContracts: Contracts = {
  operations: [
    getPasswordRules,
    updatePassword,
    recoverAccount,
    resetPassword,
    renewRecoveryCodes,
    startSecondFactor,
    confirmSecondFactor,
    removeSecondFactor,
  ],
};
