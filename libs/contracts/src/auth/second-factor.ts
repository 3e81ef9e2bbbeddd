import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { ownerProof } from "./owner-proof.ts";

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

export const secondFactorContracts: Contracts = {
  operations: [renewRecoveryCodes, startSecondFactor, confirmSecondFactor, removeSecondFactor],
};
