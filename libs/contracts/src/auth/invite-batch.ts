import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

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

export const inviteBatchContracts: Contracts = { operations: [createInvites, listInviteLimits] };
