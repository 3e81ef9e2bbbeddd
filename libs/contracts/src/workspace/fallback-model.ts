import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
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

export const fallbackModelContracts: Contracts = {
  operations: [
    getInstanceFallbacks,
    setInstanceFallbacks,
    getWorkspaceFallbacks,
    setWorkspaceFallbacks,
  ],
};
