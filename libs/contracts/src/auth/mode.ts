import { z } from "zod";
import { byKey } from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { credential } from "./session.ts";
import { instanceProof } from "./user.ts";

/** Internal: the part of /setup-complete that auth provides. */
export const getAuthSettings = defineOperation({
  name: "auth.setting.get",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({
    RequiresAuth: z.boolean(),
    AuthToken: z.boolean(),
    JWTSecret: z.boolean(),
    MultiUserMode: z.boolean(),
    SimpleSSOEnabled: z.boolean(),
    SimpleSSONoLogin: z.boolean(),
    SimpleSSONoLoginRedirect: z.string().nullable(),
    /** Carrel-specific: label of the OpenID sign-in button; null if no provider is configured. */
    OpenIDName: z.string().nullable(),
  }),
});

export const getMultiUserMode = defineOperation({
  name: "auth.mode.get",
  service: "auth",
  access: { who: "public" },
  routes: [
    {
      method: "GET",
      path: "/system/multi-user-mode",
      summary: "Check whether the instance has user accounts",
    },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer.is-multi-user-mode",
      method: "GET",
      path: "/v1/admin/is-multi-user-mode",
      summary: "Check whether the instance has user accounts",
      output: z.object({ isMultiUser: z.boolean() }),
      mapReply: ({ multiUserMode }) => ({ isMultiUser: multiUserMode }),
    },
  ],
  input: z.object({}),
  output: z.object({ multiUserMode: z.boolean() }),
});

export const enableMultiUser = defineOperation({
  name: "auth.mode.enable-multi-user",
  service: "auth",
  access: { who: "session", proof: "handler" },
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/system/enable-multi-user",
      summary:
        "Make the first admin and switch to user accounts; what had no owner becomes the admin's",
    },
  ],
  // If there is an instance password, it or a recent sign-in is required.
  input: z.object({
    username: z.string().max(255).default(""),
    password: credential.default(""),
    ...instanceProof,
  }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
  errors: {
    PASSWORD_WRONG: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
    CONFLICT: { status: 200, kind: "json", body: { success: false, error: "$message" } },
    REFUSED: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});

/**
 * Multi-user mode was enabled: each service assigns its rows without an owner to the first admin
 * (`OwnerTransfer` in libs/database). `at` is ISO 8601.
 */
export const multiUserEnabled = defineEvent({
  name: "mode.multi-user-enabled",
  service: "auth",
  consumers: ["workspace", "chat", "ingest"],
  payload: z.object({ adminId: z.number().int(), at: z.string() }),
});

export const modeContracts: Contracts = {
  operations: [getAuthSettings, getMultiUserMode, enableMultiUser],
  events: [multiUserEnabled],
};
