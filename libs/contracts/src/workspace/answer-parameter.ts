import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/** How long a model thinks, if that can be set; every vendor knows these three. */
export const reasoningEfforts = ["low", "medium", "high"] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** How a model writes; null or absent fields are left to the model. */
export const answerParameters = z.object({
  /** Tokens. */
  maxTokens: z.number().int().min(16).max(1_000_000).nullish(),
  topP: z.number().min(0.01).max(1).nullish(),
  effort: z.enum(reasoningEfforts).nullish(),
});
export type AnswerParameters = z.infer<typeof answerParameters>;

/** Carrel-specific: replaces all of them. Read them with `getAnswerParameters`. */
export const setWorkspaceParameters = defineOperation({
  name: "workspace.answer-parameter.set",
  service: "workspace",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/answer-parameters",
      summary: "Set how a workspace's model answers: length, top-p and reasoning effort",
    },
  ],
  input: z.object({ slug, parameters: answerParameters }),
  output: z.object({ success: z.literal(true) }),
});

export const answerParameterContracts: Contracts = { operations: [setWorkspaceParameters] };
