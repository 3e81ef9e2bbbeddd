import { z } from "zod";
import { noWorkspace } from "./chat.ts";
import { rowId, slug } from "./coercion.ts";
import { defineOperation } from "./operation.ts";

const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };

/** Sent as null by some clients where nothing was entered. */
const textUpTo = (longest: number) =>
  z
    .string()
    .max(longest)
    .nullish()
    .transform((text) => text ?? "");

/** Slash commands of a person: `/command` anywhere in a message becomes its prompt. */
export const presetWire = z.object({
  id: z.number().int(),
  command: z.string(),
  prompt: z.string(),
  description: z.string(),
});
const fullPreset = presetWire.extend({
  uid: z.number().int(),
  userId: z.number().int().nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
});
const presetFields = {
  command: textUpTo(255),
  prompt: textUpTo(20_000),
  description: textUpTo(2_000),
};
const presetErrors = {
  BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
} as const;
export const listPresets = defineOperation({
  name: "workspace.preset.list",
  service: "workspace",
  access: { who: "session" },
  http: { method: "GET", path: "/system/slash-command-presets", summary: "Own slash commands" },
  input: z.object({}),
  output: z.object({ presets: z.array(presetWire) }),
});
/** A command that exists is given back as it is. */
export const createPreset = defineOperation({
  name: "workspace.preset.create",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  errors: presetErrors,
  http: { method: "POST", path: "/system/slash-command-presets", summary: "Make a slash command" },
  input: z.object(presetFields),
  output: z.object({ preset: fullPreset }),
  success: { status: 201, kind: "json" },
});
export const updatePreset = defineOperation({
  name: "workspace.preset.update",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  errors: {
    ...presetErrors,
    CONFLICT: { status: 422, kind: "json", body: { message: "$message" } },
    NOT_FOUND: { status: 404, kind: "json", body: { message: "Preset not found" } },
  },
  http: {
    method: "POST",
    path: "/system/slash-command-presets/:id",
    summary: "Change a slash command",
  },
  input: z.object({ ...presetFields, id: rowId }),
  output: z.object({ preset: fullPreset }),
});
export const deletePreset = defineOperation({
  name: "workspace.preset.delete",
  service: "workspace",
  access: { who: "session" },
  idempotency: "keyed",
  errors: {
    NOT_FOUND: { status: 403, kind: "json", body: { message: "Failed to delete preset" } },
  },
  http: {
    method: "DELETE",
    path: "/system/slash-command-presets/:id",
    summary: "Delete a slash command",
  },
  input: z.object({ id: rowId }),
  output: z.void(),
  success: { status: 204, kind: "empty" },
});

/**
 * Named values in prompts, `{key}`. Built-ins (wire-contract 13.2) come first, without id and
 * value.
 */
export const variableWire = z.object({
  id: z.number().int().optional(),
  key: z.string(),
  value: z.string().optional(),
  description: z.string().nullable(),
  type: z.enum(["system", "user", "workspace", "static"]),
  userId: z.number().int().nullable().optional(),
  multiUserRequired: z.boolean().optional(),
});
/** A number is taken for its text, as people write values; what is missing or no text is empty. */
const entered = (longest: number) =>
  z
    .union([z.string().max(longest), z.number(), z.null()])
    .optional()
    .transform((value) => (value === null || value === undefined ? "" : String(value)));
const variableFields = {
  key: entered(1_000),
  value: entered(20_000),
  description: z.string().max(2_000).nullish(),
};
const variableErrors = {
  BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
} as const;
export const listVariables = defineOperation({
  name: "workspace.variable.list",
  service: "workspace",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/prompt-variables",
    summary: "Variables that prompts may use",
  },
  input: z.object({}),
  output: z.object({ variables: z.array(variableWire) }),
});
export const createVariable = defineOperation({
  name: "workspace.variable.create",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "keyed",
  errors: variableErrors,
  http: { method: "POST", path: "/system/prompt-variables", summary: "Make a prompt variable" },
  input: z.object(variableFields),
  output: z.object({ success: z.boolean(), variable: variableWire }),
});
export const updateVariable = defineOperation({
  name: "workspace.variable.update",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  errors: {
    ...variableErrors,
    NOT_FOUND: { status: 404, kind: "json", body: { success: false, error: "Variable not found" } },
  },
  http: {
    method: "PUT",
    path: "/system/prompt-variables/:id",
    summary: "Change a prompt variable",
  },
  input: z.object({ ...variableFields, id: rowId }),
  output: z.object({ success: z.boolean(), variable: variableWire }),
});
export const deleteVariable = defineOperation({
  name: "workspace.variable.delete",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "keyed",
  errors: {
    NOT_FOUND: {
      status: 404,
      kind: "json",
      body: { success: false, error: "System prompt variable not found or could not be deleted" },
    },
  },
  http: {
    method: "DELETE",
    path: "/system/prompt-variables/:id",
    summary: "Delete a prompt variable",
  },
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});
/**
 * Internal, for chat: the caller's commands, and what each `{key}` in a system prompt stands for
 * now (dates in the client's time zone where it told one).
 */
export const resolvePromptParts = defineOperation({
  name: "workspace.prompt.resolve",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  timeoutMs: 5_000,
  calls: ["auth"],
  input: z.object({
    timeZone: z.string().max(64).nullable().default(null),
    locale: z.string().max(35).nullable().default(null),
  }),
  output: z.object({
    presets: z.array(z.object({ command: z.string(), prompt: z.string() })),
    variables: z.record(z.string(), z.string()),
  }),
});

/** The first questions that an empty chat offers; at most four are shown. */
export const suggestedMessageWire = z.object({ heading: z.string(), message: z.string() });
export const listSuggestedMessages = defineOperation({
  name: "workspace.suggestion.list",
  service: "workspace",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/suggested-messages",
    summary: "Questions that an empty chat offers",
  },
  input: z.object({ slug }),
  output: z.object({ success: z.boolean(), suggestedMessages: z.array(suggestedMessageWire) }),
});
export const setSuggestedMessages = defineOperation({
  name: "workspace.suggestion.set",
  service: "workspace",
  access: { who: "manager", workspace: true },
  idempotency: "natural",
  errors: {
    ...inWorkspace,
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, message: "$message" } },
  },
  http: {
    method: "POST",
    path: "/workspace/:slug/suggested-messages",
    summary: "Set the questions that an empty chat offers",
  },
  input: z.object({
    slug,
    messages: z
      .array(z.object({ heading: textUpTo(255), message: textUpTo(2_000) }), {
        error: "Invalid message format. Expected an array of messages.",
      })
      .max(30, { error: "At most 30 messages can be suggested." }),
  }),
  output: z.object({ success: z.boolean(), message: z.string() }),
});

/** What the system prompt of a workspace was before, newest first. */
export const listPromptHistory = defineOperation({
  name: "workspace.prompt-history.list",
  service: "workspace",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  calls: ["auth"],
  http: {
    method: "GET",
    path: "/workspace/:slug/prompt-history",
    summary: "Earlier system prompts of a workspace",
  },
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
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/workspace/:slug/prompt-history",
    summary: "Forget the earlier system prompts of a workspace",
  },
  input: z.object({ slug }),
  output: z.object({ success: z.boolean() }),
});
export const deletePromptHistoryEntry = defineOperation({
  name: "workspace.prompt-history.delete",
  service: "workspace",
  access: { who: "manager" },
  idempotency: "keyed",
  http: {
    method: "DELETE",
    path: "/workspace/prompt-history/:id",
    summary: "Forget one earlier system prompt",
  },
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});
/**
 * What serves where neither the workspace nor the instance has a prompt; its beginning is the
 * specification's (section 9).
 * `settings.changed` with this label among its keys tells that the instance's own was changed.
 */
export const builtInSystemPrompt =
  "Given the following conversation, relevant context, and a follow up question, reply with an answer to the current question the user is asking. " +
  "Return only your response to the question given the above information following the users instructions as needed.";
export const defaultPromptLabel = "default_system_prompt";
export const getDefaultSystemPrompt = defineOperation({
  name: "workspace.prompt.default",
  service: "workspace",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/default-system-prompt",
    summary: "The prompt of workspaces that have none of their own",
  },
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
  http: {
    method: "POST",
    path: "/system/default-system-prompt",
    summary: "Set it; blank goes back to the built-in one",
  },
  input: z.object({ defaultSystemPrompt: z.string().max(50_000).nullish() }),
  output: z.object({ success: z.boolean(), message: z.string() }),
});

/**
 * Ours: what a workspace can be set to. Providers that are set up, without their settings; `models`
 * is empty where they could not be listed within three seconds.
 */
export const listWorkspaceProviders = defineOperation({
  name: "workspace.provider.list-ready",
  service: "workspace",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  timeoutMs: 10_000,
  http: {
    method: "GET",
    path: "/workspace/:slug/providers",
    summary: "Language models that a workspace can be set to",
  },
  input: z.object({ slug }),
  output: z.object({
    /** What the workspace follows while it has no choice of its own. */
    instance: z.object({ provider: z.string(), model: z.string().nullable() }),
    providers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Of this provider in the instance's settings. */ model: z.string().nullable(),
        models: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
  }),
});

/** Internal: blob key of a workspace's picture, and setting it; gives the key that is free now. */
export const findWorkspacePicture = defineOperation({
  name: "workspace.picture.find",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({ key: z.string().nullable() }),
});
export const setWorkspacePicture = defineOperation({
  name: "workspace.picture.set",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ key: z.string().nullable() }),
  output: z.object({ previous: z.string().nullable() }),
});
const picture = {
  BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
  UNSUPPORTED: { status: 415, kind: "json", body: { message: "$message" } },
  TOO_LARGE: { status: 413, kind: "json", body: { message: "$message" } },
} as const;
export const getWorkspacePicture = defineOperation({
  name: "gateway.workspace.picture",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/pfp",
    mount: "custom",
    summary: "The picture of a workspace (WebP); 204 where there is none",
  },
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});
export const uploadWorkspacePicture = defineOperation({
  name: "gateway.workspace.upload-picture",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: { ...inWorkspace, ...picture },
  http: {
    method: "POST",
    path: "/workspace/:slug/upload-pfp",
    mount: "custom",
    summary: "Set the picture of a workspace (multipart field file)",
  },
  input: z.object({ slug }),
  output: z.object({ message: z.string() }),
});
export const removeWorkspacePicture = defineOperation({
  name: "gateway.workspace.remove-picture",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/workspace/:slug/remove-pfp",
    mount: "custom",
    summary: "Remove the picture of a workspace",
  },
  input: z.object({ slug }),
  output: z.object({ message: z.string() }),
});
/**
 * Internal, for the search: names of workspaces that the caller may use, by substring or small
 * typing faults.
 */
export const searchWorkspaces = defineOperation({
  name: "workspace.workspace.search",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ term: z.string().max(200) }),
  output: z.object({
    workspaces: z.array(z.object({ id: z.number().int(), slug: z.string(), name: z.string() })),
  }),
});
