import { z } from "zod";
import { allowedModels } from "../chat/thread-setting.ts";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { settingLabels } from "./setting-captions.ts";

/**
 * Id of the built-in language provider, which answers with quotes from the documents: it has no
 * model and no prompt, so it counts no tokens and uses no memories.
 */
export const quotingProvider = "extractive";

/** Id of the speech and dictation provider that is each person's own browser. */
export const browserProvider = "native";

/** Setting of the built-in embedder: whether its model may be downloaded, `on` or `off`. */
export const embeddingDownloadKey = "EmbeddingModelDownload";

/** One field of a provider's form. Keys are those of the wire. */
export const providerField = z.object({
  key: z.string(),
  /** Which of the captions it has. */
  label: z.enum(settingLabels),
  kind: z.enum(["secret", "text", "url", "number", "model", "select"]),
  required: z.boolean(),
  default: z.union([z.string(), z.number()]).optional(),
  /**
   * What existing clients' forms show while nothing is saved, though it doesn't apply here; in a
   * list of providers, set only in that case.
   */
  clientDefault: z.number().optional(),
  /** Who decides about an empty field; `otherwise` applies if they don't. */
  empty: z.object({ uses: z.literal("server"), otherwise: z.number().optional() }).optional(),
  options: z.array(z.string()).optional(),
  placeholder: z.string().optional(),
  /** Addresses where a server of this kind usually answers, for auto-detect. */
  candidates: z.array(z.string()).optional(),
  advanced: z.boolean().optional(),
  min: z.number().optional(),
  /** Shown (and required, if it is) only while this other field has one of these values. */
  when: z.object({ key: z.string(), values: z.array(z.string()) }).optional(),
});

export type ProviderField = z.infer<typeof providerField>;

export const providerDeclaration = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["language", "embedding", "vector", "speech", "dictation", "transcription"]),
  /** Where data goes: with built-in and local providers it stays on the owner's hardware. */
  group: z.enum(["builtin", "local", "hosted"]),
  /** Nothing runs on the server: each person's browser does the work. */
  inBrowser: z.literal(true).optional(),
  /** Page where hosted providers issue keys. */
  keyUrl: z.string().optional(),
  /** How a hosted provider handles the data it receives. */
  dataPolicyUrl: z.string().optional(),
  listsModels: z.boolean(),
  /** Its name when listing models, if that differs from its id. */
  listId: z.string().optional(),
  fields: z.array(providerField),
});

export type ProviderDeclaration = z.infer<typeof providerDeclaration>;

/**
 * Carrel-specific: fields of the settings pages, and which values are chosen, saved (secrets as
 * booleans) or locked by the environment.
 */
export const listProviders = defineOperation({
  name: "workspace.provider.list",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/system/providers",
      summary: "List providers with their form fields",
    },
  ],
  input: z.object({}),
  output: z.object({
    providers: z.array(providerDeclaration),
    /** Effective choice, including the built-in fallback. */
    language: z.object({ provider: z.string(), model: z.string().nullable(), chosen: z.boolean() }),
    embedding: z.object({ provider: z.string(), model: z.string().nullable() }),
    vector: z.object({ provider: z.string(), chosen: z.boolean() }),
    /** Reads answers aloud. */
    speech: z.object({ provider: z.string(), chosen: z.boolean() }),
    /** Transcribes what people dictate. */
    dictation: z.object({ provider: z.string(), chosen: z.boolean() }),
    /** Turns recordings into documents. */
    transcription: z.object({ provider: z.string(), chosen: z.boolean() }),
    /** The models that people may choose, for providers that are limited. */
    allowed: allowedModels,
    /** Setting keys that are preset and locked by environment variables. */
    locked: z.array(z.string()),
  }),
});

/**
 * Carrel-specific: providers that a workspace or a thread can use, limited to configured ones and
 * to the models an admin allows, without their settings; `models` is empty if they could not be
 * listed within three seconds.
 */
export const listWorkspaceProviders = defineOperation({
  name: "workspace.provider.list-ready",
  service: "workspace",
  // Managers, and people who may choose the model of a thread.
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/providers",
      summary: "List the language models that a workspace or thread can use",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    /** What the workspace uses unless it has a choice of its own. */
    instance: z.object({ provider: z.string(), model: z.string().nullable() }),
    providers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** This provider's model in the instance's settings. */
        model: z.string().nullable(),
        models: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
  }),
});

export const listModels = defineOperation({
  name: "workspace.model.list",
  service: "workspace",
  access: { who: "admin", proof: "none" },
  timeoutMs: 20_000,
  idempotency: "natural",
  routes: [{ method: "POST", path: "/system/custom-models", summary: "List a provider's models" }],
  input: z.object({
    provider: z.string().max(64),
    /** true or a masked value: use the stored key. */
    apiKey: z.union([z.string().max(4096), z.boolean(), z.null()]).optional(),
    basePath: z.union([z.string().max(2048), z.null()]).optional(),
    /** For Bedrock: the region in which to list models. */
    options: z.object({ region: z.string().max(64).optional() }).nullish(),
    /** Carrel-specific: unsaved values of the provider's fields, for forms with several secrets. */
    settings: z.record(z.string().max(64), z.string().max(4096)).optional(),
  }),
  output: z.object({
    models: z.array(z.looseObject({ id: z.string() })),
    fault: faultWire.nullish(),
  }),
  english: { field: "error" },
});

/**
 * Carrel-specific: one tiny real call to a provider, with the values of its form. A saved secret is
 * used if the form has none, but only at an address it was saved for.
 */
export const testProvider = defineOperation({
  name: "workspace.provider.test",
  service: "workspace",
  access: { who: "admin" },
  timeoutMs: 25_000,
  routes: [
    {
      method: "POST",
      path: "/system/test-provider",
      summary: "Test a provider's settings with a tiny call",
    },
  ],
  input: z.object({
    kind: z.enum(["language", "embedding", "speech", "dictation", "transcription"]),
    provider: z.string().max(64),
    /** Unsaved values of the provider's fields, by key. */
    settings: z.record(z.string().max(64), z.string().max(4096)).default({}),
  }),
  output: z.object({
    /** null if the test failed. */
    result: z
      .object({
        /** Time to the first part of the answer or the audio. */
        milliseconds: z.number(),
        model: z.string(),
        /** Length of an embedding; null for other kinds. */
        dimensions: z.number().nullable(),
      })
      .nullable(),
    fault: faultWire.nullish(),
  }),
  english: { field: "error" },
});

export const providerContracts: Contracts = {
  operations: [listProviders, listWorkspaceProviders, listModels, testProvider],
};
