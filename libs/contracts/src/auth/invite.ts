import { z } from "zod";
import { rowId } from "../coercion.ts";
import {
  byKeyInMultiUserMode,
  outcomeWire,
  refusedKey,
  refusedOutcome,
  type ErrorReply,
} from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/** Roles that an invite can give. Only an admin can make someone an admin, never a link. */
export const inviteRoles = ["default", "manager"] as const;
export type InviteRole = (typeof inviteRoles)[number];

export const maxInvitesAtOnce = 200;
export const maxInviteUses = 1_000;
export const maxInviteLabel = 255;

const inviteLimits = {
  /** Whom it is for, such as an email address or a team; shown to managers only. */
  label: z.string().nullable(),
  role: z.enum(inviteRoles),
  maxUses: z.number().int(),
  /** null: never. */
  expiresAt: z.string().nullable(),
};

/** Carrel-specific: links for a list of people, or one for a team. */
export const createInvites = defineOperation({
  name: "auth.invite.create-many",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "recent" },
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/admin/invites/batch",
      summary: "Create invites for several people, or one that several can accept",
    },
  ],
  input: z.object({
    invites: z
      .array(
        z.object({
          label: z.string().trim().max(maxInviteLabel).nullish(),
          role: z.enum(inviteRoles).default("default"),
          /** How many people can accept it. */
          maxUses: z.number().int().min(1).max(maxInviteUses).default(1),
        }),
      )
      .min(1)
      .max(maxInvitesAtOnce),
    workspaceIds: z.array(rowId).max(10_000).default([]),
    expiresAt: z.iso.datetime().nullish(),
  }),
  output: z.object({
    invites: z.array(
      z.object({
        id: z.number().int(),
        ...inviteLimits,
        /** Shown in full, but only here. */
        code: z.string(),
      }),
    ),
  }),
  errors: {
    REFUSED: { status: 403, kind: "json", body: { error: "$message" } },
    DISABLED: { status: 403, kind: "json", body: { error: "$message" } },
  },
});

/** Carrel-specific: what existing clients' list of invites lacks. */
export const listInviteLimits = defineOperation({
  name: "auth.invite.limits",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  routes: [
    {
      method: "GET",
      path: "/admin/invites/limits",
      summary: "List for whom invites are, their roles, uses and expiry dates",
    },
  ],
  input: z.object({}),
  output: z.object({
    limits: z.array(z.object({ id: z.number().int(), ...inviteLimits, uses: z.number().int() })),
  }),
});

/**
 * `code` is in full when the invite is created and, while it is pending, in admins' lists; others
 * are masked and say why. `workspaceIds` is JSON text.
 */
export const inviteWire = z.object({
  id: z.number().int(),
  code: z.string(),
  status: z.enum(["pending", "claimed", "disabled"]),
  claimedBy: z.object({ id: z.number().int(), username: z.string() }).nullable(),
  workspaceIds: z.string(),
  createdAt: z.string(),
  createdBy: z
    .union([z.object({ id: z.number().int(), username: z.string() }), z.number().int()])
    .nullable(),
  lastUpdatedAt: z.string(),
});

export type InviteWire = z.infer<typeof inviteWire>;

const noInvite: ErrorReply = {
  status: 200,
  kind: "json",
  body: { invite: null, error: "$message" },
};

export const getInvite = defineOperation({
  name: "auth.invite.get",
  service: "auth",
  access: { who: "public" },
  routes: [
    { method: "GET", path: "/invite/:code", summary: "Check whether an invite can be accepted" },
  ],
  input: z.object({ code: z.string().max(255) }),
  output: z.object({
    invite: z.object({ code: z.string(), status: z.string() }).nullable(),
    error: z.string().nullable(),
  }),
  errors: { NOT_FOUND: noInvite, REFUSED: noInvite },
});

export const acceptInvite = defineOperation({
  name: "auth.invite.accept",
  service: "auth",
  access: { who: "public" },
  idempotency: "keyed",
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/invite/:code",
      summary: "Accept an invite and create an account",
    },
  ],
  input: z.object({
    code: z.string().max(255),
    username: z.string().max(255).default(""),
    password: z.string().max(1024).default(""),
    address: z.string().max(64).optional(),
  }),
  output: outcomeWire.extend({
    /** Read only by the gateway, which adds the user as a member before it responds. */
    userId: z.number().int().nullable().optional(),
    workspaceIds: z.array(z.number().int()).optional(),
  }),
  errors: {
    ...refusedOutcome,
    DISABLED: {
      status: 403,
      kind: "json",
      body: {
        success: false,
        error: "Login via credentials has been disabled by the administrator.",
      },
    },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
    TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});

export const listInvites = defineOperation({
  name: "auth.invite.list",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  routes: [
    { method: "GET", path: "/admin/invites", summary: "List invites" },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.invites",
      method: "GET",
      path: "/v1/admin/invites",
      summary: "List invites",
    },
  ],
  input: z.object({}),
  output: z.object({ invites: z.array(inviteWire) }),
});

export const createInvite = defineOperation({
  name: "auth.invite.create",
  idempotency: "keyed",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "recent" },
  routes: [
    { method: "POST", path: "/admin/invite/new", summary: "Create an invite" },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.create-invite",
      method: "POST",
      path: "/v1/admin/invite/new",
      summary: "Create an invite",
    },
  ],
  input: z.object({ workspaceIds: z.array(rowId).max(10_000).nullish() }),
  output: z.object({ invite: inviteWire.nullable(), error: z.string().nullable() }),
  errors: {
    REFUSED: noInvite,
    DISABLED: {
      status: 403,
      kind: "json",
      body: {
        success: false,
        error: "Login via credentials has been disabled by the administrator.",
      },
    },
  },
});

export const disableInvite = defineOperation({
  name: "auth.invite.disable",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "none" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/admin/invite/:id",
      summary: "Disable an invite",
    },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.disable-invite",
      method: "DELETE",
      path: "/v1/admin/invite/:id",
      summary: "Disable an invite",
      errors: {
        ...refusedKey,
        NOT_FOUND: {
          status: 404,
          kind: "json",
          body: { success: false, error: "Invite not found or already disabled" },
        },
      },
    },
  ],
  input: z.object({ id: rowId }),
  output: outcomeWire,
  // Existing clients expect refusals with status 200.
  errors: {
    ...refusedOutcome,
    NOT_FOUND: { status: 200, kind: "json", body: { success: false, error: "Invite not found." } },
  },
});

/** An invite was accepted: the workspace service adds the user to its workspaces. */
export const inviteAccepted = defineEvent({
  name: "invite.accepted",
  service: "auth",
  consumers: ["workspace"],
  payload: z.object({ userId: z.number().int(), workspaceIds: z.array(z.number().int()) }),
});

export const inviteContracts: Contracts = {
  operations: [
    getInvite,
    acceptInvite,
    listInvites,
    createInvite,
    disableInvite,
    createInvites,
    listInviteLimits,
  ],
  events: [inviteAccepted],
};
