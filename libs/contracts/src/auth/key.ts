import { z } from "zod";
import { keyScopes } from "../access.ts";
import { rowId } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/** `key` is masked and says so; `user` holds only the owner's name and role. */
export const extensionKeyWire = z.object({
  id: z.number().int(),
  key: z.string(),
  user_id: z.number().int().nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  lastUsedAt: z.string().nullable(),
  user: z.object({ id: z.number().int(), username: z.string(), role: z.string() }).nullable(),
});

export type ExtensionKeyWire = z.infer<typeof extensionKeyWire>;

/** Managers see and delete their own keys, admins all of them. */
export const listExtensionKeys = defineOperation({
  name: "auth.extension-key.list",
  service: "auth",
  access: { who: "manager" },
  routes: [
    { method: "GET", path: "/browser-extension/api-keys", summary: "List browser-extension keys" },
  ],
  input: z.object({}),
  output: z.object({ success: z.boolean(), apiKeys: z.array(extensionKeyWire) }),
});

export const createExtensionKey = defineOperation({
  name: "auth.extension-key.create",
  idempotency: "keyed",
  service: "auth",
  access: { who: "manager", proof: "recent" },
  routes: [
    {
      method: "POST",
      path: "/browser-extension/api-keys/new",
      summary: "Create a browser-extension key; shown once",
    },
  ],
  input: z.object({}),
  output: z.object({ apiKey: z.string() }),
  // Existing clients show a reply's `error` only with status 200.
  errors: { REFUSED: { status: 200, kind: "json", body: { apiKey: null, error: "$message" } } },
});

export const deleteExtensionKey = defineOperation({
  name: "auth.extension-key.delete",
  service: "auth",
  access: { who: "manager", proof: "none" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/browser-extension/api-keys/:id",
      summary: "Delete a browser-extension key",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
  errors: { NOT_FOUND: { status: 403, kind: "json", body: { error: "Unauthorized" } } },
});

export const refusedExtension = {
  KEY_REFUSED: { status: 403, kind: "json", body: { error: "No valid API key found." } },
} as const;

/** A view: the key and the workspaces its owner may use. */
export const checkExtension = defineOperation({
  name: "gateway.extension.check",
  service: "gateway",
  access: { who: "extension" },
  errors: refusedExtension,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/browser-extension/check",
      summary: "Check whether the extension is connected",
    },
  ],
  input: z.object({}),
  output: z.object({
    connected: z.boolean(),
    workspaces: z.array(z.unknown()),
    apiKeyId: z.number().int(),
  }),
});

export const disconnectExtension = defineOperation({
  name: "auth.extension-key.disconnect",
  service: "auth",
  access: { who: "extension" },
  errors: refusedExtension,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/browser-extension/disconnect",
      summary: "Delete the key used for this request",
    },
  ],
  input: z.object({}),
  output: z.object({ success: z.boolean() }),
});

/**
 * `secret` is masked except in the reply that creates the key, because only its hash is stored.
 * `lastUsedAt` and the limits are Carrel-specific.
 */
export const apiKeyWire = z.object({
  id: z.number().int(),
  name: z.string().nullable(),
  secret: z.string(),
  createdBy: z
    .union([
      z.object({ id: z.number().int(), username: z.string(), role: z.string() }),
      z.number().int(),
    ])
    .nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  lastUsedAt: z.string().nullable(),
  scopes: z.array(z.enum(keyScopes)),
  /** The only workspaces that exist for this key; null: all. */
  workspaceIds: z.array(z.number().int()).nullable(),
  expiresAt: z.string().nullable(),
  requestsPerMinute: z.number().int().nullable(),
});

export type ApiKeyWire = z.infer<typeof apiKeyWire>;

export const maxRequestsPerMinute = 100_000;

/** What a key may do; null: no limit. */
const limits = {
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .transform((scopes) => keyScopes.filter((scope) => scopes.includes(scope)))
    .nullish(),
  workspaceIds: z
    .array(rowId)
    .min(1)
    .max(1_000)
    .transform((ids) => [...new Set(ids)].toSorted((a, b) => a - b))
    .nullish(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
  requestsPerMinute: z.number().int().min(1).max(maxRequestsPerMinute).nullish(),
};

const list = {
  input: z.object({}),
  output: z.object({ apiKeys: z.array(apiKeyWire), error: z.string().nullable() }),
};

export const listInstanceApiKeys = defineOperation({
  ...list,
  name: "auth.key.list-instance",
  service: "auth",
  access: { who: "session", mode: "single" },
  routes: [
    {
      method: "GET",
      path: "/system/api-keys",
      summary: "List developer API keys (single-user mode)",
    },
  ],
});

/** Existing clients show a reply's `error` only with status 200. */
const refusedKey = {
  REFUSED: { status: 200, kind: "json", body: { apiKey: null, error: "$message" } },
} as const;

const create = {
  errors: refusedKey,
  /** A key without `scopes`, as existing clients create it, has full power. */
  input: z.object({ name: z.string().max(255).nullish(), ...limits }),
  output: z.object({ apiKey: apiKeyWire.nullable(), error: z.string().nullable() }),
};

/** Carrel-specific: absent fields keep their value. */
const update = {
  input: z.object({ id: rowId, name: z.string().max(255).nullish(), ...limits }),
  output: create.output,
};

export const createInstanceApiKey = defineOperation({
  ...create,
  name: "auth.key.create-instance",
  idempotency: "keyed",
  service: "auth",
  access: { who: "session", mode: "single", proof: "recent" },
  routes: [
    {
      method: "POST",
      path: "/system/generate-api-key",
      summary: "Create a developer API key (single-user mode); shown once",
    },
  ],
});

export const updateInstanceApiKey = defineOperation({
  ...update,
  name: "auth.key.update-instance",
  service: "auth",
  access: { who: "session", mode: "single", proof: "recent" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/system/api-key/:id",
      summary: "Change the name and limits of a developer API key (single-user mode)",
    },
  ],
});

// Malformed and unknown ids get the same reply, so guessing reveals nothing.
const remove = {
  input: z.object({ id: rowId }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
} as const;

export const deleteInstanceApiKey = defineOperation({
  ...remove,
  name: "auth.key.delete-instance",
  service: "auth",
  access: { who: "session", mode: "single", proof: "none" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/api-key/:id",
      summary: "Delete a developer API key (single-user mode)",
    },
  ],
});

export const listApiKeys = defineOperation({
  ...list,
  name: "auth.key.list",
  service: "auth",
  access: { who: "admin", mode: "multi" },
  routes: [{ method: "GET", path: "/admin/api-keys", summary: "List developer API keys" }],
});

export const createApiKey = defineOperation({
  ...create,
  name: "auth.key.create",
  idempotency: "keyed",
  service: "auth",
  access: { who: "admin", mode: "multi", proof: "recent" },
  routes: [
    {
      method: "POST",
      path: "/admin/generate-api-key",
      summary: "Create a developer API key; shown once",
    },
  ],
});

export const updateApiKey = defineOperation({
  ...update,
  name: "auth.key.update",
  service: "auth",
  access: { who: "admin", mode: "multi", proof: "recent" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/admin/api-keys/:id",
      summary: "Change the name and limits of a developer API key",
    },
  ],
});

export const deleteApiKey = defineOperation({
  ...remove,
  name: "auth.key.delete",
  service: "auth",
  access: { who: "admin", mode: "multi", proof: "none" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/admin/delete-api-key/:id",
      summary: "Delete a developer API key",
    },
  ],
});

export const apiKeyContracts: Contracts = {
  operations: [
    listInstanceApiKeys,
    createInstanceApiKey,
    updateInstanceApiKey,
    deleteInstanceApiKey,
    listApiKeys,
    createApiKey,
    updateApiKey,
    deleteApiKey,
    listExtensionKeys,
    createExtensionKey,
    deleteExtensionKey,
    checkExtension,
    disconnectExtension,
  ],
};
