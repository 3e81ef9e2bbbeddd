import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * Fallback if neither the workspace nor the instance has a prompt; it begins with the
 * specification's text (section 9). `settings.changed` with this label among its keys means the
 * instance's prompt changed.
 */
export const builtInSystemPrompt =
  "Given the following conversation, relevant context, and a follow up question, reply with an answer to the current question the user is asking. " +
  "Return only your response to the question given the above information following the users instructions as needed.";

export const defaultPromptLabel = "default_system_prompt";

export const getDefaultSystemPrompt = defineOperation({
  name: "workspace.prompt.default",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/default-system-prompt",
      summary: "Get the default system prompt",
    },
  ],
  input: z.object({}),
  output: z.object({
    success: z.boolean(),
    defaultSystemPrompt: z.string(),
    saneDefaultSystemPrompt: z.string(),
  }),
});

export const setDefaultSystemPrompt = defineOperation({
  name: "workspace.prompt.set-default",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/system/default-system-prompt",
      summary: "Set the default system prompt; a blank one restores the built-in prompt",
    },
  ],
  input: z.object({ defaultSystemPrompt: z.string().max(50_000).nullish() }),
  output: z.object({ success: z.boolean(), message: z.string() }),
});

/**
 * Internal, for chat: the caller's commands, and the current value of each `{key}` in a system
 * prompt (dates in the client's time zone if it sent one). API keys may use everyone's commands
 * (wire-contract 9.4) and get those that are named; of several with the same name, the oldest.
 */
export const resolvePromptParts = defineOperation({
  name: "workspace.prompt.resolve",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["auth"],
  input: z.object({
    timeZone: z.string().max(64).nullable().default(null),
    locale: z.string().max(35).nullable().default(null),
    commands: z.array(z.string()).max(1_000).optional(),
  }),
  output: z.object({
    presets: z.array(z.object({ command: z.string(), prompt: z.string() })),
    variables: z.record(z.string(), z.string()),
  }),
});

/** Earlier system prompts of a workspace, newest first. */
export const listPromptHistory = defineOperation({
  name: "workspace.prompt-history.list",
  service: "workspace",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  calls: ["auth"],
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/prompt-history",
      summary: "List a workspace's previous system prompts",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    history: z.array(
      z.object({
        id: z.number().int(),
        workspaceId: z.number().int(),
        prompt: z.string(),
        modifiedBy: z.number().int().nullable(),
        modifiedAt: z.string(),
        user: z.object({ username: z.string() }).nullable(),
      }),
    ),
  }),
});

export const clearPromptHistory = defineOperation({
  name: "workspace.prompt-history.clear",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/prompt-history",
      summary: "Delete all previous system prompts of a workspace",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ success: z.boolean() }),
});

export const deletePromptHistoryEntry = defineOperation({
  name: "workspace.prompt-history.delete",
  service: "workspace",
  access: { who: "manager" },
  idempotency: "keyed",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/prompt-history/:id",
      summary: "Delete a previous system prompt",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

export const systemPromptContracts: Contracts = {
  operations: [
    getDefaultSystemPrompt,
    setDefaultSystemPrompt,
    resolvePromptParts,
    listPromptHistory,
    clearPromptHistory,
    deletePromptHistoryEntry,
  ],
};
