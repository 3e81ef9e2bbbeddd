import { z } from "zod";
import { slug } from "../coercion.ts";
import { inThread } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Preference label that lets everyone choose the model of their threads ("true"; off by default:
 * only managers and admins may); chat reads it along with the settings.
 */
export const threadModelsLabel = "thread_models_by_everyone";

/** Preference label of the models that people may choose; chat reads it along with the settings. */
export const allowedModelsLabel = "thread_models_allowed";

/** IDs of the models that may be chosen, by provider. Providers that are absent aren't limited. */
export const allowedModels = z.record(
  z.string().max(64),
  z.array(z.string().min(1).max(255)).max(1_000),
);
export type AllowedModels = z.infer<typeof allowedModels>;

/**
 * Changes to the preference: the limits of some providers, null to lift one. Others are kept, so
 * that two admins don't undo each other's changes.
 */
export const allowedModelChanges = z.record(
  allowedModels.keyType,
  allowedModels.valueType.nullable(),
);
export type AllowedModelChanges = z.infer<typeof allowedModelChanges>;

/** A null model is the provider's own; a limited provider offers it only under its id. */
export function isModelAllowed(
  allowed: AllowedModels,
  { provider, model }: { provider: string; model: string | null },
): boolean {
  const models = Object.hasOwn(allowed, provider) ? allowed[provider] : undefined;
  return models === undefined || (model !== null && models.includes(model));
}

/** A null model is the provider's own. */
export const modelChoice = z.object({
  provider: z.string().min(1).max(64),
  model: z.string().min(1).max(255).nullable(),
});
export type ModelChoice = z.infer<typeof modelChoice>;

/** The model that answers in a thread. */
const threadModel = z.object({
  provider: z.string(),
  /** The provider's name in the UI. */
  providerName: z.string(),
  /** null: answers without a model, or the provider's settings are incomplete. */
  model: z.string().nullable(),
  /** False: the thread uses its workspace's model. */
  isOwnChoice: z.boolean(),
  /** null: unknown until a question with an image is asked. */
  seesImages: z.boolean().nullable(),
  /** Whether the caller may choose another model. */
  mayChoose: z.boolean(),
});
export type ThreadModel = z.infer<typeof threadModel>;

const thread = z.string().min(1).max(255).nullish();

/** Carrel-specific. `thread` absent: the default thread. */
export const getThreadModel = defineOperation({
  name: "chat.thread-model.get",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/model",
      summary: "Get the model that answers in your thread",
    },
  ],
  input: z.object({ slug, thread }),
  output: threadModel,
});

/**
 * Carrel-specific: one of the providers of `listWorkspaceProviders`; null goes back to the
 * workspace's model. Takes effect with the next question.
 */
export const chooseThreadModel = defineOperation({
  name: "chat.thread-model.choose",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/model",
      summary: "Choose the model that answers in your thread",
    },
  ],
  input: z.object({
    slug,
    thread,
    choice: modelChoice.nullable(),
  }),
  output: threadModel,
});

export const threadModelContracts: Contracts = {
  operations: [getThreadModel, chooseThreadModel],
};
