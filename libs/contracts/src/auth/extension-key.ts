import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

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

export const extensionKeyContracts: Contracts = {
  operations: [
    listExtensionKeys,
    createExtensionKey,
    deleteExtensionKey,
    checkExtension,
    disconnectExtension,
  ],
};
