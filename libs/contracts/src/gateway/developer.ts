import { z } from "zod";
import { inviteWire } from "../auth/invite.ts";
import { createUser, updateUser, userWire } from "../auth/user.ts";
import { chatRecordWire } from "../chat/chat-record.ts";
import { pageIndex, rowId, slug } from "../coercion.ts";
import { type ErrorReply, outcomeWire } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { memberWire } from "../workspace/member.ts";

/*
 * The developer API, wire-contract 9.1 and 9.2: thin routes of the gateway onto the operations of
 * the web app.
 */

const refused: ErrorReply = {
  status: 403,
  kind: "json",
  body: { error: "No valid api key found." },
};

const errors = { KEY_REFUSED: refused };

const custom = (method: "GET" | "POST" | "DELETE", path: string, summary: string) => ({
  method,
  path: `/v1${path}`,
  mount: "custom" as const,
  summary,
});

const multi = { who: "key", mode: "multi" } as const;

export const checkApiKey = defineOperation({
  name: "gateway.developer.auth",
  service: "gateway",
  access: { who: "key" },
  errors,
  http: custom("GET", "/auth", "Whether the API key is valid"),
  input: z.object({}),
  output: z.object({ authenticated: z.boolean() }),
});

export const listApiUsers = defineOperation({
  name: "gateway.developer.users",
  service: "gateway",
  access: multi,
  errors,
  http: custom("GET", "/users", "Users by id, name and role"),
  input: z.object({}),
  output: z.object({
    users: z.array(z.object({ id: z.number().int(), username: z.string(), role: z.string() })),
  }),
});

export const issueApiSignInToken = defineOperation({
  name: "gateway.developer.issue-auth-token",
  service: "gateway",
  access: { who: "key" },
  errors: {
    ...errors,
    DISABLED: { status: 403, kind: "text" },
    NOT_FOUND: { status: 404, kind: "json", body: { error: "User not found" } },
  },
  http: custom(
    "GET",
    "/users/:id/issue-auth-token",
    "A one-time sign-in token for a user (simple SSO)",
  ),
  input: z.object({ id: rowId }),
  output: z.object({ token: z.string(), loginPath: z.string() }),
});

export const isMultiUserMode = defineOperation({
  name: "gateway.developer.is-multi-user-mode",
  service: "gateway",
  access: { who: "key" },
  errors,
  http: custom("GET", "/admin/is-multi-user-mode", "Whether the instance has user accounts"),
  input: z.object({}),
  output: z.object({ isMultiUser: z.boolean() }),
});

export const listDeveloperUsers = defineOperation({
  name: "gateway.developer.admin-users",
  service: "gateway",
  access: multi,
  errors,
  http: custom("GET", "/admin/users", "All users"),
  input: z.object({}),
  output: z.object({ users: z.array(userWire) }),
});

export const createDeveloperUser = defineOperation({
  name: "gateway.developer.create-user",
  service: "gateway",
  access: multi,
  errors: {
    ...errors,
    BAD_INPUT: { status: 400, kind: "json", body: { user: null, error: "$message" } },
  },
  http: custom("POST", "/admin/users/new", "Make a user"),
  input: createUser.input,
  output: z.object({ user: userWire.nullable(), error: z.string().nullable() }),
});

export const updateDeveloperUser = defineOperation({
  name: "gateway.developer.update-user",
  service: "gateway",
  access: multi,
  errors,
  http: custom("POST", "/admin/users/:id", "Change a user"),
  input: updateUser.input,
  output: outcomeWire,
});

export const deleteDeveloperUser = defineOperation({
  name: "gateway.developer.delete-user",
  service: "gateway",
  access: multi,
  errors,
  http: custom("DELETE", "/admin/users/:id", "Delete a user"),
  input: z.object({ id: rowId }),
  output: outcomeWire,
});

export const listDeveloperInvites = defineOperation({
  name: "gateway.developer.invites",
  service: "gateway",
  access: multi,
  errors,
  http: custom("GET", "/admin/invites", "All invites"),
  input: z.object({}),
  output: z.object({ invites: z.array(inviteWire) }),
});

export const createDeveloperInvite = defineOperation({
  name: "gateway.developer.create-invite",
  service: "gateway",
  access: multi,
  errors: {
    ...errors,
    DISABLED: {
      status: 403,
      kind: "json",
      body: {
        success: false,
        error: "Login via credentials has been disabled by the administrator.",
      },
    },
  },
  http: custom("POST", "/admin/invite/new", "Make an invite"),
  input: z.object({ workspaceIds: z.array(rowId).max(10_000).nullish() }),
  output: z.object({ invite: inviteWire.nullable(), error: z.string().nullable() }),
});

export const disableDeveloperInvite = defineOperation({
  name: "gateway.developer.disable-invite",
  service: "gateway",
  access: multi,
  errors: {
    ...errors,
    NOT_FOUND: { status: 404, kind: "json", body: { success: false, error: "Invite not found." } },
  },
  http: custom("DELETE", "/admin/invite/:id", "Withdraw an invite"),
  input: z.object({ id: rowId }),
  output: outcomeWire,
});

export const listDeveloperMembers = defineOperation({
  name: "gateway.developer.members",
  service: "gateway",
  access: multi,
  errors,
  http: custom("GET", "/admin/workspaces/:id/users", "Members of a workspace"),
  input: z.object({ id: rowId }),
  output: z.object({ users: z.array(memberWire) }),
});

export const updateDeveloperMembers = defineOperation({
  name: "gateway.developer.update-members",
  service: "gateway",
  access: multi,
  errors,
  http: custom("POST", "/admin/workspaces/:id/update-users", "Set the members of a workspace"),
  input: z.object({ id: rowId, userIds: z.array(rowId).max(10_000) }),
  output: outcomeWire,
});

/**
 * Not scoped by the guard: a key may use every workspace, and an unknown slug has this route's own
 * body.
 */
export const manageDeveloperMembers = defineOperation({
  name: "gateway.developer.manage-members",
  service: "gateway",
  access: multi,
  errors: {
    ...errors,
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
  },
  http: custom(
    "POST",
    "/admin/workspaces/:slug/manage-users",
    "Add members to a workspace, or replace them",
  ),
  input: z.object({ slug, userIds: z.array(rowId).max(10_000), reset: z.boolean().default(false) }),
  output: outcomeWire.extend({ users: z.array(memberWire) }),
});

/** A view over chat, workspace and auth; DISABLED with DISABLE_VIEW_CHAT_HISTORY. */
export const listDeveloperChats = defineOperation({
  name: "gateway.developer.chats",
  service: "gateway",
  access: { who: "key" },
  errors: {
    ...errors,
    DISABLED: {
      status: 422,
      kind: "text",
      text: "This feature has been disabled by the administrator.",
    },
  },
  http: custom("POST", "/admin/workspace-chats", "A page of 20 recorded chats"),
  input: z.object({ offset: pageIndex.default(0) }),
  output: z.object({
    chats: z.array(
      chatRecordWire.extend({
        workspace: z.object({ name: z.string(), slug: z.string().nullable() }),
        user: z.object({ username: z.string() }),
      }),
    ),
    hasPages: z.boolean(),
  }),
});

export const updateDeveloperPreferences = defineOperation({
  name: "gateway.developer.preferences",
  service: "gateway",
  access: multi,
  errors,
  http: custom("POST", "/admin/preferences", "Set system preferences"),
  input: z.object({ preferences: z.record(z.string().max(128), z.unknown()) }),
  output: outcomeWire,
});

export const developerContracts: Contracts = {
  operations: [
    checkApiKey,
    listApiUsers,
    issueApiSignInToken,
    isMultiUserMode,
    listDeveloperUsers,
    createDeveloperUser,
    updateDeveloperUser,
    deleteDeveloperUser,
    listDeveloperInvites,
    createDeveloperInvite,
    disableDeveloperInvite,
    listDeveloperMembers,
    updateDeveloperMembers,
    manageDeveloperMembers,
    listDeveloperChats,
    updateDeveloperPreferences,
  ],
};
