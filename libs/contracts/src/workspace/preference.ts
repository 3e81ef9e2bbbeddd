import { z } from "zod";
import { byKeyInMultiUserMode } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * wire-contract 7: comma-separated labels, by default all; unknown ones are omitted, and managers
 * get only the five meant for them.
 */
export const listPreferences = defineOperation({
  name: "workspace.preference.list",
  service: "workspace",
  // Imported agent skills are the chat service's.
  mount: "custom",
  access: { who: "manager" },
  routes: [
    {
      method: "GET",
      path: "/admin/system-preferences-for",
      summary: "Get system preferences by label",
      input: z.object({ labels: z.string().max(4096).default("") }),
    },
    {
      name: "workspace.preference.list-all",
      method: "GET",
      path: "/admin/system-preferences",
      summary: "Get all system preferences",
      input: z.object({}),
    },
  ],
  input: z.object({ labels: z.string().max(4096).optional() }),
  output: z.object({ settings: z.record(z.string(), z.unknown()) }),
});

/**
 * The body is the flat map itself; labels the caller may not set are dropped, as the wire
 * specifies.
 */
export const updatePreferences = defineOperation({
  name: "workspace.preference.update",
  service: "workspace",
  access: { who: "manager" },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/admin/system-preferences",
      bodyField: "preferences",
      summary: "Set system preferences",
    },
    {
      ...byKeyInMultiUserMode("admin"),
      name: "gateway.developer.preferences",
      method: "POST",
      path: "/v1/admin/preferences",
      bodyField: "preferences",
      summary: "Set system preferences",
    },
  ],
  input: z.object({ preferences: z.record(z.string().max(128), z.unknown()) }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

export const preferenceContracts: Contracts = {
  operations: [listPreferences, updatePreferences],
};
