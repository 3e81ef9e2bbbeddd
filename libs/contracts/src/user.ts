import { z } from "zod";
import { roles } from "./access.ts";
import { rowId, yesOrNo } from "./coercion.ts";
import { defineEvent, defineOperation } from "./operation.ts";

/** wire-contract 1.2; the last four are ours. Never a hash or a secret. */
export const userWire = z.object({
  id: z.number().int(),
  username: z.string(),
  pfpFilename: z.string().nullable(),
  role: z.enum(roles),
  suspended: z.union([z.literal(0), z.literal(1)]),
  seen_recovery_codes: z.boolean(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  dailyMessageLimit: z.number().int().nullable(),
  bio: z.string(),
  /** Vouched for by an admin or by the OpenID provider; accounts are linked by it. */
  email: z.string().nullable(),
  theme: z.enum(["default", "light"]).nullable(),
  userLang: z.string().nullable(),
  secondFactor: z.boolean(),
});
export type UserWire = z.infer<typeof userWire>;

/** A business refusal on this wire: 200 with `success` false. */
const outcome = z.object({ success: z.boolean(), error: z.string().nullable() });
/**
 * Passwords and names are checked by the service, whose words the forms show; here only what could
 * not even be looked at.
 */
const userFields = {
  username: z.string().max(255).nullish(),
  password: z.string().max(1024).nullish(),
  role: z.string().max(20).nullish(),
  bio: z.string().max(10_000).nullish(),
  dailyMessageLimit: z
    .union([z.null(), z.literal(""), z.coerce.number()])
    .transform((value) => (value === "" ? null : value))
    .optional(),
  suspended: yesOrNo.optional(),
  email: z.string().max(320).nullish(),
};

/**
 * Own profile. Absent and null fields change nothing; an empty password is not sent by clients and
 * changes nothing. A new password ends all other sessions.
 */
export const updateProfile = defineOperation({
  name: "auth.profile.update",
  service: "auth",
  access: { who: "session", mode: "multi" },
  idempotency: "none",
  http: { method: "POST", path: "/system/user", summary: "Change the own profile" },
  input: z.object({
    username: userFields.username,
    password: userFields.password,
    bio: userFields.bio,
    theme: z.enum(["default", "light", "system"]).nullish(),
    userLang: z.string().max(16).nullish(),
  }),
  output: outcome,
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});
export const getProfilePicture = defineOperation({
  name: "gateway.profile.picture",
  service: "gateway",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/pfp/:id",
    mount: "custom",
    summary: "The own profile picture (WebP); 204 for any other user or where there is none",
  },
  input: z.object({ id: z.string().max(32) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});
export const uploadProfilePicture = defineOperation({
  name: "gateway.profile.upload-picture",
  service: "gateway",
  access: { who: "session", mode: "multi" },
  http: {
    method: "POST",
    path: "/system/upload-pfp",
    mount: "custom",
    summary: "Set the own profile picture (multipart field file)",
  },
  input: z.object({}),
  output: z.object({ message: z.string() }),
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
    UNSUPPORTED: { status: 415, kind: "json", body: { message: "$message" } },
    TOO_LARGE: { status: 413, kind: "json", body: { message: "$message" } },
  },
});
export const removeProfilePicture = defineOperation({
  name: "gateway.profile.remove-picture",
  service: "gateway",
  access: { who: "session", mode: "multi" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/system/remove-pfp",
    mount: "custom",
    summary: "Remove the own profile picture",
  },
  input: z.object({}),
  output: z.object({ message: z.string() }),
});
/**
 * Internal: blob key of the caller's picture (null: none or not the caller's), and setting it;
 * gives the key that is free now.
 */
export const findPicture = defineOperation({
  name: "auth.profile.find-picture",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({ id: rowId }),
  output: z.object({ key: z.string().nullable() }),
});
export const setPicture = defineOperation({
  name: "auth.profile.set-picture",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ key: z.string().nullable() }),
  output: z.object({ previous: z.string().nullable() }),
});

/** Internal: names and roles of users, unknown ids left out; for lists in other services. */
export const findUsers = defineOperation({
  name: "auth.user.find-many",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({
    ids: z.array(z.number().int()).max(10_000),
    /** For prompts that name it; ask for few users then. */ withBio: z.boolean().optional(),
  }),
  output: z.object({
    users: z.array(
      z.object({
        id: z.number().int(),
        username: z.string(),
        role: z.enum(roles),
        bio: z.string().optional(),
      }),
    ),
  }),
});

export const listUsers = defineOperation({
  name: "auth.user.list",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  http: { method: "GET", path: "/admin/users", summary: "All users" },
  input: z.object({}),
  output: z.object({ users: z.array(userWire) }),
});
export const createUser = defineOperation({
  name: "auth.user.create",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  idempotency: "keyed",
  http: { method: "POST", path: "/admin/users/new", summary: "Make a user" },
  input: z.object(userFields),
  output: z.object({ user: userWire.nullable(), error: z.string().nullable() }),
});
/**
 * An admin's new password and suspension end every session and key of the user; the user's second
 * factor stays.
 */
export const updateUser = defineOperation({
  name: "auth.user.update",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  idempotency: "natural",
  http: { method: "POST", path: "/admin/user/:id", summary: "Change a user" },
  input: z.object({ ...userFields, id: rowId }),
  output: outcome,
});
export const deleteUser = defineOperation({
  name: "auth.user.delete",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/admin/user/:id",
    mount: "custom",
    summary: "Delete a user with sessions, keys and chats",
  },
  input: z.object({ id: rowId }),
  output: outcome.extend({
    /** For the gateway alone, which deletes the blob before it answers. */ pictureKey: z
      .string()
      .nullable()
      .optional(),
  }),
});
/** Ours: for a user who lost the device; recovery codes stay. */
export const removeUserSecondFactor = defineOperation({
  name: "auth.user.remove-second-factor",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/admin/user/:id/second-factor",
    summary: "The login of this user no longer asks for one-time codes",
  },
  input: z.object({ id: rowId }),
  output: outcome,
});

/**
 * `code` is masked in lists; the whole one is shown once, when the invite is made. `workspaceIds`
 * is JSON text.
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
export const getInvite = defineOperation({
  name: "auth.invite.get",
  service: "auth",
  access: { who: "public" },
  http: { method: "GET", path: "/invite/:code", summary: "Whether an invite can be accepted" },
  input: z.object({ code: z.string().max(255) }),
  output: z.object({
    invite: z.object({ code: z.string(), status: z.string() }).nullable(),
    error: z.string().nullable(),
  }),
});
export const acceptInvite = defineOperation({
  name: "auth.invite.accept",
  service: "auth",
  access: { who: "public" },
  idempotency: "keyed",
  http: {
    method: "POST",
    path: "/invite/:code",
    mount: "custom",
    summary: "Make an account with an invite",
  },
  input: z.object({
    code: z.string().max(255),
    username: z.string().max(255).default(""),
    password: z.string().max(1024).default(""),
    address: z.string().max(64).optional(),
  }),
  output: outcome.extend({
    /** For the gateway alone, which makes the user a member before it answers. */ userId: z
      .number()
      .int()
      .nullable()
      .optional(),
    workspaceIds: z.array(z.number().int()).optional(),
  }),
  errors: {
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
  http: { method: "GET", path: "/admin/invites", summary: "All invites" },
  input: z.object({}),
  output: z.object({ invites: z.array(inviteWire) }),
});
export const createInvite = defineOperation({
  name: "auth.invite.create",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  idempotency: "none",
  http: { method: "POST", path: "/admin/invite/new", summary: "Make an invite" },
  input: z.object({ workspaceIds: z.array(rowId).max(10_000).nullish() }),
  output: z.object({ invite: inviteWire.nullable(), error: z.string().nullable() }),
  errors: {
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
  access: { who: "manager", mode: "multi" },
  idempotency: "natural",
  http: { method: "DELETE", path: "/admin/invite/:id", summary: "Withdraw an invite" },
  input: z.object({ id: rowId }),
  output: outcome,
});

/**
 * Internal: the 6-minute token of simple SSO; earlier ones of the user are void. DISABLED without
 * SIMPLE_SSO_ENABLED, NOT_FOUND for an unknown user.
 */
export const issueSignInToken = defineOperation({
  name: "auth.sign-in-token.create",
  service: "auth",
  access: { who: "internal" },
  input: z.object({ userId: rowId }),
  output: z.object({ token: z.string(), loginPath: z.string() }),
});

/** Someone accepted an invite: workspace makes them a member. */
export const inviteAccepted = defineEvent({
  name: "invite.accepted",
  service: "auth",
  consumers: ["workspace"],
  payload: z.object({ userId: z.number().int(), workspaceIds: z.array(z.number().int()) }),
});
/**
 * Memberships go, threads and turns of the user go, with the files that were dropped on them;
 * documents stay in the library.
 */
export const userDeleted = defineEvent({
  name: "user.deleted",
  service: "auth",
  consumers: ["workspace", "chat", "ingest"],
  payload: z.object({ userId: z.number().int() }),
});
