import { z } from "zod";
import { slug } from "../coercion.ts";
import { inThread } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { answerParameters } from "../workspace/answer-parameter.ts";

const thread = z.string().min(1).max(255).nullish();

/**
 * Internal: context window of a thread's model (for its files), or of the workspace's model (for
 * the view of a workspace).
 */
export const getContextWindow = defineOperation({
  name: "chat.context.get",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({
    /** Absent or null: the workspace's model. */
    threadId: z.number().int().nullish(),
  }),
  output: z.object({ contextWindow: z.number().int().nullable() }),
});

/** Internal: tokens of the files attached to a thread; part of the view of a workspace. */
export const countContextTokens = defineOperation({
  name: "chat.context.count-tokens",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["ingest"],
  input: z.object({
    /** Absent or null: the caller's default thread. */
    threadId: z.number().int().nullish(),
  }),
  output: z.object({ currentContextTokenCount: z.number().int() }),
});

/** Replaces the workspace's settings in one thread, except where null or absent. */
export const threadParameters = answerParameters.extend({
  temperature: z.number().min(0).max(2).nullish(),
  systemPrompt: z.string().max(100_000).nullish(),
});
export type ThreadParameters = z.infer<typeof threadParameters>;

/** All false for answers without a model. */
const supportedParameters = z.object({
  maxTokens: z.boolean(),
  temperature: z.boolean(),
  topP: z.boolean(),
  effort: z.boolean(),
  systemPrompt: z.boolean(),
});

/** Carrel-specific. `thread` absent: the default thread. */
export const getAnswerParameters = defineOperation({
  name: "chat.thread-parameter.get",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/parameters",
      summary: "Get how answers are written in your thread, and what its model lets you set",
    },
  ],
  input: z.object({ slug, thread }),
  output: z.object({
    thread: threadParameters,
    workspace: threadParameters.omit({ systemPrompt: true }),
    /** What the thread's model supports, and what the workspace's model supports. */
    supports: supportedParameters,
    workspaceSupports: supportedParameters,
  }),
});
export type AnswerParameterState = z.infer<typeof getAnswerParameters.output>;

/**
 * Carrel-specific: replaces all of a thread's own parameters; takes effect with the next question.
 */
export const setThreadParameters = defineOperation({
  name: "chat.thread-parameter.set",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/parameters",
      summary: "Set the prompt of your thread and how answers in it are written",
    },
  ],
  input: z.object({ slug, thread, parameters: threadParameters }),
  output: z.object({ success: z.literal(true) }),
});

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
  operations: [
    getThreadModel,
    chooseThreadModel,
    getAnswerParameters,
    setThreadParameters,
    getContextWindow,
    countContextTokens,
  ],
};
