import { z } from "zod";
import { refusedOutcome } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { instanceProof } from "./owner-proof.ts";
import { credential } from "./session.ts";

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
  operations: [getPasswordRules, updatePassword, recoverAccount, resetPassword],
};
