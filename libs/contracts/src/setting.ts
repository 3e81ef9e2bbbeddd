import { z } from "zod";
import { defineEvent, defineOperation } from "./operation.ts";

/**
 * One field of a provider's form; the web form and the validation of update-env are drawn from it.
 * Keys are wire words.
 */
export const providerField = z.object({
  key: z.string(),
  kind: z.enum(["secret", "text", "url", "number", "model", "select"]),
  required: z.boolean(),
  default: z.union([z.string(), z.number()]).optional(),
  options: z.array(z.string()).optional(),
  placeholder: z.string().optional(),
  advanced: z.boolean().optional(),
  min: z.number().optional(),
});
export type ProviderField = z.infer<typeof providerField>;

export const providerDeclaration = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["language", "embedding", "vector"]),
  /** Where the data goes: built-in and local providers keep it on the user's hardware. */
  group: z.enum(["builtin", "local", "hosted"]),
  /** Page where a key is made, for hosted providers. */
  keyUrl: z.string().optional(),
  listsModels: z.boolean(),
  fields: z.array(providerField),
});
export type ProviderDeclaration = z.infer<typeof providerDeclaration>;

/**
 * Ours: what the settings pages are drawn from, and what is chosen, saved (secrets as booleans) or
 * locked by the environment.
 */
export const listProviders = defineOperation({
  name: "workspace.provider.list",
  service: "workspace",
  access: { who: "admin" },
  http: {
    method: "GET",
    path: "/system/providers",
    summary: "Providers with the fields of their forms",
  },
  input: z.object({}),
  output: z.object({
    providers: z.array(providerDeclaration),
    /** Effective choice, built-in fallback included. */
    language: z.object({ provider: z.string(), model: z.string().nullable(), chosen: z.boolean() }),
    embedding: z.object({ provider: z.string(), model: z.string().nullable() }),
    vector: z.object({ provider: z.string(), chosen: z.boolean() }),
    /** Setting keys that environment variables preset and lock. */
    locked: z.array(z.string()),
  }),
});

/**
 * Internal: all settings as stored. Secrets stay encrypted (AES-256-GCM, `v1:` text) and are opened
 * by the reader with `SecretBox`.
 */
export const resolveSettings = defineOperation({
  name: "workspace.setting.resolve",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({}),
  output: z.object({
    values: z.record(z.string(), z.string()),
    secrets: z.record(z.string(), z.string()),
    version: z.number().int(),
  }),
});

/** Internal: the map of /setup-complete without what auth and ingest add; secrets are booleans. */
export const getSettings = defineOperation({
  name: "workspace.setting.get",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({}),
  output: z.object({ settings: z.record(z.string(), z.unknown()) }),
});

/**
 * A view: auth + workspace + ingest. Without proof only what login and onboarding need
 * (docs/decisions/network-security.md).
 */
export const getSetup = defineOperation({
  name: "gateway.setup.get",
  service: "gateway",
  access: { who: "public" },
  http: {
    method: "GET",
    path: "/setup-complete",
    mount: "custom",
    summary: "State of the instance and its settings; secrets are booleans",
  },
  input: z.object({}),
  output: z.object({ results: z.record(z.string(), z.unknown()) }),
});

/**
 * wire-contract 2.2: flat map of strings; the first invalid key stops, earlier ones stay applied;
 * error is false when fine.
 */
export const updateSettings = defineOperation({
  name: "workspace.setting.update",
  service: "workspace",
  access: { who: "admin" },
  http: {
    method: "POST",
    path: "/system/update-env",
    mount: "custom",
    summary: "Change instance settings",
  },
  input: z.object({ values: z.record(z.string().max(128), z.string().max(20_000)) }),
  output: z.object({
    newValues: z.record(z.string(), z.unknown()),
    error: z.union([z.literal(false), z.string()]),
  }),
});

/**
 * Internal: settings go back to what they were, where an index of before answers again. Secrets
 * come sealed (`v1:` text); null
 * forgets one. When the environment locks one of them otherwise, nothing is changed and its keys
 * are named.
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

export const listModels = defineOperation({
  name: "workspace.model.list",
  service: "workspace",
  access: { who: "admin" },
  timeoutMs: 20_000,
  idempotency: "natural",
  http: { method: "POST", path: "/system/custom-models", summary: "Models a provider offers" },
  input: z.object({
    provider: z.string().max(64),
    /** true or a masked value: use the stored key. */
    apiKey: z.union([z.string().max(4096), z.boolean(), z.null()]).optional(),
    basePath: z.union([z.string().max(2048), z.null()]).optional(),
  }),
  output: z.object({
    models: z.array(z.looseObject({ id: z.string() })),
    error: z.string().nullable(),
  }),
});

/** Whether documents follow their sources; wire-contract 13.3. */
export const liveSyncLabel = "experimental_live_file_sync";
/**
 * Labels of preferences that are settings to ingest (how documents are split, live sync); it reads
 * them with the settings.
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
