import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * `secret` is masked except in the reply that creates the key, because only its hash is stored.
 * `lastUsedAt` is Carrel-specific.
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
});

export type ApiKeyWire = z.infer<typeof apiKeyWire>;

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

const create = {
  input: z.object({ name: z.string().max(255).nullish() }),
  output: z.object({ apiKey: apiKeyWire.nullable(), error: z.string().nullable() }),
};

export const createInstanceApiKey = defineOperation({
  ...create,
  name: "auth.key.create-instance",
  service: "auth",
  access: { who: "session", mode: "single" },
  routes: [
    {
      method: "POST",
      path: "/system/generate-api-key",
      summary: "Create a developer API key (single-user mode); shown once",
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
  access: { who: "session", mode: "single" },
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
  service: "auth",
  access: { who: "admin", mode: "multi" },
  routes: [
    {
      method: "POST",
      path: "/admin/generate-api-key",
      summary: "Create a developer API key; shown once",
    },
  ],
});

export const deleteApiKey = defineOperation({
  ...remove,
  name: "auth.key.delete",
  service: "auth",
  access: { who: "admin", mode: "multi" },
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
    deleteInstanceApiKey,
    listApiKeys,
    createApiKey,
    deleteApiKey,
  ],
};
