import { z } from "zod";
import { slug } from "../coercion.ts";
import { inThread } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { answerParameters } from "../workspace/answer-parameter.ts";

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

const thread = z.string().min(1).max(255).nullish();

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

export const threadParameterContracts: Contracts = {
  operations: [getAnswerParameters, setThreadParameters],
};
