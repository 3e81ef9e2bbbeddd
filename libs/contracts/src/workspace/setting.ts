import { z } from "zod";
import { byKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/**
 * Internal: all settings as stored. Secrets are encrypted (AES-256-GCM, `v1:` text); the reader
 * decrypts them with `SecretBox`.
 */
export const resolveSettings = defineOperation({
  name: "workspace.setting.resolve",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({
    values: z.record(z.string(), z.string()),
    secrets: z.record(z.string(), z.string()),
    version: z.number().int(),
  }),
});

/**
 * Internal: the map of /setup-complete without the parts from auth and ingest; secrets are
 * booleans.
 */
export const getSettings = defineOperation({
  name: "workspace.setting.get",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({
    settings: z.record(z.string(), z.unknown()),
    /**
     * Nobody has set up or uses the instance yet; an instance with a password or accounts is never
     * new.
     */
    isNew: z.boolean().optional(),
  }),
});

/**
 * A view: auth + workspace + ingest. Without a credential only what login and onboarding need
 * (docs/decisions/network-security.md).
 */
export const getSetup = defineOperation({
  name: "gateway.setup.get",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/setup-complete",
      summary: "Get the instance's state and settings; secrets are booleans",
    },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-system.settings",
      method: "GET",
      path: "/v1/system",
      summary: "Get the instance's settings; secrets are booleans",
      output: z.object({ settings: z.record(z.string(), z.unknown()) }),
      mapReply: ({ results }) => ({ settings: results }),
    },
  ],
  input: z.object({}),
  output: z.object({ results: z.record(z.string(), z.unknown()) }),
});

/**
 * wire-contract 2.2: a flat map of strings. Processing stops at the first invalid key, but earlier
 * keys stay applied; `error` is false on success. Null unsets a setting, even a required one, which
 * is how a save is undone.
 */
export const updateSettings = defineOperation({
  name: "workspace.setting.update",
  service: "workspace",
  access: { who: "admin" },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/system/update-env",
      bodyField: "values",
      summary: "Update instance settings",
    },
    {
      ...byKey("admin"),
      name: "gateway.developer-system.update-env",
      method: "POST",
      path: "/v1/system/update-env",
      bodyField: "values",
      summary: "Update instance settings",
    },
  ],
  input: z.object({ values: z.record(z.string().max(128), z.string().max(20_000).nullable()) }),
  output: z.object({
    newValues: z.record(z.string(), z.unknown()),
    fault: faultWire.nullish(),
  }),
  english: { field: "error", none: false },
});

/**
 * Internal: restores earlier settings when a previous index becomes active again. Secrets are
 * sealed (`v1:` text); null deletes one. If the environment locks any of them to another value,
 * nothing changes and the locked keys are returned.
 */
export const restoreSettings = defineOperation({
  name: "workspace.setting.restore",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    values: z.record(z.string(), z.string().nullable()),
    secrets: z.record(z.string(), z.string().nullable()),
  }),
  output: z.object({ locked: z.array(z.string()) }),
});

/** Whether documents follow their sources; wire-contract 13.3. */
export const liveSyncLabel = "experimental_live_file_sync";

/**
 * Preference labels that affect ingest (chunking, live sync), which reads them along with the
 * settings.
 */
export const ingestLabels = [
  "text_splitter_chunk_size",
  "text_splitter_chunk_overlap",
  liveSyncLabel,
] as const;

export const settingsChanged = defineEvent({
  name: "settings.changed",
  service: "workspace",
  consumers: [],
  payload: z.object({ keys: z.array(z.string()) }),
});

export const settingContracts: Contracts = {
  operations: [resolveSettings, getSettings, getSetup, updateSettings, restoreSettings],
  events: [settingsChanged],
};
