import { z } from "zod";
import { memberRights, type MemberRight } from "../access.ts";
import { rowId, slug } from "../coercion.ts";
import { byKeyInMultiUserMode, outcomeWire, refusedKey, refusedOutcome } from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { workspaceWire } from "./workspace.ts";

/** Preference labels of what admins allow members ("true"; off by default). */
export const memberRightLabels = {
  createWorkspaces: "members_create_workspaces",
  uploadDocuments: "members_upload_documents",
} as const satisfies Record<MemberRight, string>;

/**
 * Carrel-specific: what the caller may do in addition to asking questions; managers may do all of
 * it.
 */
export const getMemberRights = defineOperation({
  name: "workspace.member-right.list",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/member-rights",
      summary: "Get what admins allow you to do",
    },
  ],
  input: z.object({}),
  output: z.object({
    rights: z.array(z.enum(memberRights)),
    /** Whether the caller may choose the model of a thread. */
    choosesModels: z.boolean(),
    /** Workspaces that the caller has created and may still manage. */
    ownWorkspaces: z.array(z.number().int()),
  }),
});

export const memberWire = z.object({
  userId: z.number().int(),
  username: z.string(),
  role: z.string(),
  lastUpdatedAt: z.string(),
});

/** Users with role default only see workspaces they are members of; managers and admins see all. */
export const listAdminWorkspaces = defineOperation({
  name: "gateway.member.workspaces",
  service: "gateway",
  access: { who: "manager", mode: "multi" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/admin/workspaces",
      summary: "List all workspaces with their member ids",
    },
  ],
  input: z.object({}),
  output: z.object({
    workspaces: z.array(workspaceWire.extend({ userIds: z.array(z.number().int()) })),
  }),
});

/**
 * Internal: the same list in pages that fit into a reply between services. Pass `next` as `after`
 * of the next page.
 */
export const listAdminWorkspacePage = defineOperation({
  name: "workspace.member.workspace-page",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ after: z.number().int().nullable().default(null) }),
  output: z.object({
    workspaces: listAdminWorkspaces.output.shape.workspaces,
    next: z.number().int().nullable(),
  }),
});

export const listMembers = defineOperation({
  name: "workspace.member.list",
  service: "workspace",
  access: { who: "manager", mode: "multi" },
  calls: ["auth"],
  routes: [
    {
      method: "GET",
      path: "/admin/workspaces/:id/users",
      summary: "List the members of a workspace",
    },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.members",
      method: "GET",
      path: "/v1/admin/workspaces/:id/users",
      summary: "List the members of a workspace",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ users: z.array(memberWire) }),
});

export const createAdminWorkspace = defineOperation({
  name: "workspace.member.create-workspace",
  service: "workspace",
  access: { who: "manager", mode: "multi" },
  idempotency: "keyed",
  routes: [{ method: "POST", path: "/admin/workspaces/new", summary: "Create a workspace" }],
  input: z.object({ name: z.string().nullish() }),
  output: z.object({ workspace: workspaceWire.nullable(), error: z.string().nullable() }),
  errors: {
    REFUSED: { status: 200, kind: "json", body: { workspace: null, error: "$message" } },
  },
});

/** Replaces all members; unknown users are ignored. */
export const updateMembers = defineOperation({
  name: "workspace.member.update",
  service: "workspace",
  access: { who: "manager", mode: "multi" },
  idempotency: "natural",
  calls: ["auth"],
  routes: [
    {
      method: "POST",
      path: "/admin/workspaces/:id/update-users",
      summary: "Set the members of a workspace",
    },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.update-members",
      method: "POST",
      path: "/v1/admin/workspaces/:id/update-users",
      summary: "Set the members of a workspace",
    },
  ],
  errors: refusedOutcome,
  input: z.object({ id: rowId, userIds: z.array(rowId).max(10_000) }),
  output: outcomeWire,
});

const unknownWorkspace = {
  WORKSPACE_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" },
} as const;

export const deleteAdminWorkspace = defineOperation({
  name: "workspace.member.delete-workspace",
  service: "workspace",
  access: { who: "manager", mode: "multi" },
  idempotency: "natural",
  errors: {
    ...unknownWorkspace,
    DISABLED: { status: 403, kind: "json", body: { success: false, error: "$message" } },
  },
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/admin/workspaces/:id",
      summary: "Delete a workspace",
    },
  ],
  input: z.object({ id: rowId }),
  /** `pictureKey` is for the gateway, which deletes the blob; not part of the response. */
  output: outcomeWire.extend({ pictureKey: z.string().nullish() }),
});

/**
 * Internal, for invites and the developer API: adds members, or replaces them with `reset`; `users`
 * is the resulting list. WORKSPACE_NOT_FOUND for an unknown slug, NOT_FOUND if none of the ids is a
 * user.
 */
export const manageMembers = defineOperation({
  name: "workspace.member.manage",
  service: "workspace",
  access: { who: "internal" },
  routes: [
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.manage-members",
      method: "POST",
      path: "/v1/admin/workspaces/:slug/manage-users",
      summary: "Add or replace the members of a workspace",
      output: outcomeWire.extend({ users: z.array(memberWire) }),
      mapReply: ({ users }) => ({ success: true, error: null, users }),
      errors: {
        ...refusedKey,
        WORKSPACE_NOT_FOUND: {
          status: 404,
          kind: "json",
          body: { success: false, error: "Workspace not found", users: [] },
        },
        NOT_FOUND: {
          status: 404,
          kind: "json",
          body: { success: false, error: "No valid user IDs provided.", users: [] },
        },
        BAD_INPUT: {
          status: 400,
          kind: "json",
          body: { success: false, error: "$message", users: [] },
        },
      },
    },
  ],
  idempotency: "natural",
  calls: ["auth"],
  input: z.object({ slug, userIds: z.array(rowId).max(10_000), reset: z.boolean().default(false) }),
  output: z.object({ users: z.array(memberWire) }),
});

/**
 * Internal: adds a user to the given workspaces that exist; called before the acceptance of an
 * invite is confirmed.
 */
export const addMember = defineOperation({
  name: "workspace.member.add",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    userId: z.number().int(),
    workspaceIds: z.array(z.number().int()).max(10_000),
  }),
  output: z.object({}),
});

/** Workspace membership changed: cached scopes are invalid. */
export const membersChanged = defineEvent({
  name: "workspace-members.changed",
  service: "workspace",
  consumers: ["chat"],
  payload: z.object({
    workspaceId: z.number().int().nullable(),
    userIds: z.array(z.number().int()),
    /** Those who can no longer use the workspace; managers and admins still can. */
    excludedUserIds: z.array(z.number().int()).optional(),
  }),
});

export const memberContracts: Contracts = {
  operations: [
    listAdminWorkspaces,
    listAdminWorkspacePage,
    listMembers,
    createAdminWorkspace,
    updateMembers,
    deleteAdminWorkspace,
    manageMembers,
    addMember,
    getMemberRights,
  ],
  events: [membersChanged],
};
