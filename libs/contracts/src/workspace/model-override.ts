import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { listWorkspaceProviders } from "./provider.ts";

/** Preference label of the instance's list; chat reads it along with the settings. */
export const fallbackModelsLabel = "language_model_fallbacks";

/** A null model is the provider's own. */
const fallbackModel = z.object({
  provider: z.string().min(1).max(64),
  model: z.string().min(1).max(255).nullable(),
});
export type FallbackModel = z.infer<typeof fallbackModel>;

/** Models to try, in this order, when the chosen one can't answer. */
export const fallbackModels = z
  .array(fallbackModel)
  .max(5, { error: "At most five fallback models." })
  .refine(
    (models) =>
      new Set(models.map((each) => JSON.stringify([each.provider, each.model]))).size ===
      models.length,
    { error: "Each fallback model only once." },
  );
export type FallbackModels = z.infer<typeof fallbackModels>;

/** Configured providers with their models, as offered when choosing a workspace's model. */
const { providers } = listWorkspaceProviders.output.shape;

/** Carrel-specific. */
export const getInstanceFallbacks = defineOperation({
  name: "workspace.fallback.get-instance",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/system/fallback-models",
      summary: "Get the models that answer when the instance's can't",
    },
  ],
  input: z.object({}),
  output: z.object({ models: fallbackModels, providers }),
});

/** Carrel-specific. */
export const setInstanceFallbacks = defineOperation({
  name: "workspace.fallback.set-instance",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/system/fallback-models",
      summary: "Set the models that answer when the instance's can't",
    },
  ],
  input: z.object({ models: fallbackModels }),
  output: z.object({ success: z.literal(true) }),
});

/** Carrel-specific: null uses the instance's list; a list may be empty. */
export const getWorkspaceFallbacks = defineOperation({
  name: "workspace.fallback.get",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/fallback-models",
      summary: "Get the models that answer when a workspace's can't",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    models: fallbackModels.nullable(),
    instance: fallbackModels,
    providers,
  }),
});

/** Carrel-specific. Managers can only choose models that an admin allows. */
export const setWorkspaceFallbacks = defineOperation({
  name: "workspace.fallback.set",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/fallback-models",
      summary: "Set the models that answer when a workspace's can't",
    },
  ],
  input: z.object({ slug, models: fallbackModels.nullable() }),
  output: z.object({ success: z.literal(true) }),
});

/** Preference label of the list; chat and ingest read it along with the settings. */
export const modelOverridesLabel = "model_overrides";

/** In US dollars; 0 is free. */
export const maxModelPrice = 10_000;
const price = z.number().min(0).max(maxModelPrice);
export const minContextWindow = 256;
export const maxModelTokens = 100_000_000;

/** What models can do; the app's columns have the same names. */
export const modelAbilities = ["vision", "tools", "reasoning"] as const;
export type ModelAbility = (typeof modelAbilities)[number];
export const modelPriceNames = [
  "input",
  "cachedInput",
  "output",
  "characters",
  "audioMinutes",
] as const;
export type ModelPriceName = (typeof modelPriceNames)[number];

/** For absent fields, the catalogue or the provider decides. */
const modelOverride = z
  .object({
    provider: z.string().min(1).max(64),
    model: z.string().trim().min(1).max(255),
    /** Tokens of prompt and answer together. */
    contextWindow: z.number().int().min(minContextWindow).max(maxModelTokens).optional(),
    /** Maximum tokens of an answer; requests ask for no more. */
    outputLimit: z.number().int().min(1).max(maxModelTokens).optional(),
    /** Whether it sees images. */
    vision: z.boolean().optional(),
    tools: z.boolean().optional(),
    reasoning: z.boolean().optional(),
    /** Per million tokens. */
    input: price.optional(),
    /** Price of tokens read from the vendor's prompt cache; by default that of other tokens. */
    cachedInput: price.optional(),
    output: price.optional(),
    /** Per million characters read aloud. */
    characters: price.optional(),
    /** Per minute of audio. */
    audioMinutes: price.optional(),
  })
  .refine(({ input, output }) => (input === undefined) === (output === undefined), {
    error: "A price per token has both input and output.",
  })
  .refine(({ input, cachedInput }) => cachedInput === undefined || input !== undefined, {
    error: "A price of cached input needs one of input.",
  })
  .refine(
    ({ contextWindow, outputLimit }) =>
      contextWindow === undefined || outputLimit === undefined || outputLimit < contextWindow,
    { error: "The output limit must be below the context window." },
  )
  .refine(
    ({ provider: _provider, model: _model, ...values }) =>
      Object.values(values).some((value) => value !== undefined),
    { error: "Set at least one value." },
  );
export type ModelOverride = z.infer<typeof modelOverride>;

export const maxModelOverrides = 200;
/** Replaces the catalogue's facts and prices. */
export const modelOverrides = z
  .array(modelOverride)
  .max(maxModelOverrides, { error: `At most ${maxModelOverrides} models.` })
  .refine(
    (all) =>
      new Set(all.map((each) => JSON.stringify([each.provider, each.model]))).size === all.length,
    { error: "Only one entry for each model." },
  );

/** Carrel-specific. */
export const getModelOverrides = defineOperation({
  name: "workspace.model-override.list",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/system/model-overrides",
      summary: "List the facts and prices of models that replace the catalogue's",
    },
  ],
  input: z.object({}),
  output: z.object({ overrides: modelOverrides }),
});

/** Carrel-specific: replaces all of them. Takes effect with the next call of a model. */
export const setModelOverrides = defineOperation({
  name: "workspace.model-override.set",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/system/model-overrides",
      summary: "Set the facts and prices of models that replace the catalogue's",
    },
  ],
  input: z.object({ overrides: modelOverrides }),
  output: z.object({ success: z.literal(true) }),
});

/** Reads the overrides among an instance's settings. */
export function readModelOverrides(values: Readonly<Record<string, string>>): ModelOverride[] {
  const kept = values[modelOverridesLabel];
  return kept === undefined ? [] : modelOverrides.parse(JSON.parse(kept));
}

export const findModelOverride = (
  overrides: readonly ModelOverride[],
  provider: string,
  model: string,
): ModelOverride | undefined =>
  overrides.find((each) => each.provider === provider && each.model === model);

export const modelOverrideContracts: Contracts = {
  operations: [
    getModelOverrides,
    setModelOverrides,

    getInstanceFallbacks,
    setInstanceFallbacks,
    getWorkspaceFallbacks,
    setWorkspaceFallbacks,
  ],
};
