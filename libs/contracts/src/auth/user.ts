import { z } from "zod";
import { roles } from "../access.ts";
import { rowId, yesOrNo } from "../coercion.ts";
import { byKeyInMultiUserMode, outcomeWire, refusedKey, refusedOutcome } from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

const password = z.string().max(1024).default("");
const code = z.string().max(64).default("");

/**
 * Fields that confirm a change to how one's own account is accessed: its password and, with
 * two-factor authentication, a one-time code. Not needed within ten minutes after signing in
 * or `confirmSession`.
 */
export const ownerProof = { password, code };

/** The same, next to a new password. */
export const currentProof = { currentPassword: password, code };

/** The same for an instance without accounts, whose password has no second factor. */
export const instanceProof = { currentPassword: password };

/**
 * wire-contract 1.2; the last four fields are Carrel-specific. Never contains a hash or a secret.
 */
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
  /** Verified by an admin or by the OpenID provider, because accounts are linked by email. */
  email: z.string().nullable(),
  theme: z.enum(["default", "light"]).nullable(),
  userLang: z.string().nullable(),
  secondFactor: z.boolean(),
});

export type UserWire = z.infer<typeof userWire>;

/**
 * The service validates passwords and names, because forms show its messages; this schema only
 * rejects values that can't even be looked up.
 */
export const userFields = {
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

/** Internal: names and roles of users, for lists in other services; unknown ids are omitted. */
export const findUsers = defineOperation({
  name: "auth.user.find-many",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    ids: z.array(z.number().int()).max(10_000),
    /** For prompts that include it; request few users at a time when set. */
    withBio: z.boolean().optional(),
  }),
  output: z.object({
    users: z.array(
      z.object({
        id: z.number().int(),
        username: z.string(),
        role: z.enum(roles),
        bio: z.string().optional(),
        /** Absent from a replica of the previous version. */
        suspended: z.boolean().optional(),
        /** Questions per 24 hours; null: unlimited. */
        dailyMessageLimit: z.number().int().nullable().optional(),
        /** As in the profile; absent from a replica of the previous version. */
        language: z.string().nullish(),
      }),
    ),
  }),
});

/**
 * Internal: the users with one of these e-mail addresses or usernames, ignoring case. Addresses are
 * set by admins or by providers that verified them.
 */
export const matchUsers = defineOperation({
  name: "auth.user.match",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    emails: z.array(z.string()).max(10_000),
    usernames: z.array(z.string()).max(10_000),
  }),
  output: z.object({
    users: z.array(
      z.object({ id: z.number().int(), email: z.string().nullable(), username: z.string() }),
    ),
  }),
});

export const listUsers = defineOperation({
  name: "auth.user.list",
  service: "auth",
  access: { who: "manager", mode: "multi" },
  routes: [
    { method: "GET", path: "/admin/users", summary: "List users" },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.admin-users",
      method: "GET",
      path: "/v1/admin/users",
      summary: "List users",
    },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.users",
      method: "GET",
      path: "/v1/users",
      summary: "List users by id, name and role",
      output: z.object({
        users: z.array(z.object({ id: z.number().int(), username: z.string(), role: z.string() })),
      }),
      mapReply: ({ users }) => ({
        users: users.map(({ id, username, role }) => ({ id, username, role })),
      }),
    },
  ],
  input: z.object({}),
  output: z.object({ users: z.array(userWire) }),
});

const refusedUser = {
  status: 200,
  kind: "json",
  body: { user: null, error: "$message" },
} as const;

export const createUser = defineOperation({
  name: "auth.user.create",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "recent" },
  idempotency: "keyed",
  routes: [
    { method: "POST", path: "/admin/users/new", summary: "Create a user" },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.create-user",
      method: "POST",
      path: "/v1/admin/users/new",
      summary: "Create a user",
      errors: { ...refusedKey, REFUSED: { ...refusedUser, status: 400 } },
    },
  ],
  // Existing clients expect refusals with status 200, but 400 from the developer API.
  errors: { REFUSED: refusedUser },
  input: z.object(userFields),
  output: z.object({ user: userWire.nullable(), error: z.string().nullable() }),
});

/**
 * When an admin sets a new password or suspends the user, all sessions and keys of the user end;
 * the second factor is kept.
 */
export const updateUser = defineOperation({
  name: "auth.user.update",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "handler" },
  idempotency: "natural",
  routes: [
    { method: "POST", path: "/admin/user/:id", summary: "Update a user" },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.update-user",
      method: "POST",
      path: "/v1/admin/users/:id",
      summary: "Update a user",
    },
  ],
  errors: {
    ...refusedOutcome,
    PASSWORD_WRONG: { status: 200, kind: "json", body: { success: false, error: "$message" } },
  },
  // An admin's own password is changed like in the profile.
  input: z.object({ ...userFields, ...currentProof, id: rowId }),
  output: outcomeWire,
});

export const deleteUser = defineOperation({
  name: "auth.user.delete",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "recent" },
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/admin/user/:id",
      summary: "Delete a user with their sessions, keys and chats",
    },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.delete-user",
      method: "DELETE",
      path: "/v1/admin/users/:id",
      summary: "Delete a user",
      errors: { ...refusedKey, NOT_FOUND: { ...refusedOutcome.REFUSED, status: 404 } },
      output: outcomeWire,
    },
  ],
  // Existing clients expect refusals with status 200.
  errors: { ...refusedOutcome, NOT_FOUND: refusedOutcome.REFUSED },
  input: z.object({ id: rowId }),
  output: outcomeWire.extend({
    /** Read only by the gateway, which deletes the blob before it responds. */
    pictureKey: z.string().nullable().optional(),
  }),
});

/** Carrel-specific: for a user who lost the device; recovery codes stay valid. */
export const removeUserSecondFactor = defineOperation({
  name: "auth.user.remove-second-factor",
  service: "auth",
  access: { who: "manager", mode: "multi", proof: "recent" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/admin/user/:id/second-factor",
      summary: "Turn off a user's two-factor authentication",
    },
  ],
  errors: refusedOutcome,
  input: z.object({ id: rowId }),
  output: outcomeWire,
});

/**
 * Which of these users no longer exist; the daily comparison removes any data a service still has
 * for them.
 */
export const findMissingUsers = defineOperation({
  name: "auth.user.find-missing",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ ids: z.array(z.number().int()).max(10_000) }),
  output: z.object({ ids: z.array(z.number().int()) }),
});

/**
 * The user's memberships, threads, turns and files attached to them are deleted, and so are the
 * credentials of their sources; documents stay in the library.
 */
export const userDeleted = defineEvent({
  name: "user.deleted",
  service: "auth",
  consumers: ["workspace", "chat", "ingest", "connectors"],
  payload: z.object({ userId: z.number().int() }),
});

export const userContracts: Contracts = {
  operations: [
    findUsers,
    matchUsers,
    listUsers,
    createUser,
    updateUser,
    deleteUser,
    removeUserSecondFactor,
    findMissingUsers,
  ],
  events: [userDeleted],
};
