import { z } from "zod";
import { scopeSchema } from "../access.ts";
import { refusedExtension } from "../auth/key.ts";
import { chatModes } from "../chat/conversation.ts";
import { clipText } from "../clip-text.ts";
import { floatOr, integerOr, slug, textOrNull } from "../coercion.ts";
import { byKey, refusedKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { workspaceDocumentWire } from "../ingest/workspace-document.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { answerParameters } from "./answer-parameter.ts";
import { fallbackModels } from "./model-override.ts";

/** Rejects absurd lengths, because services exchange whole rows. */
const textUpTo = (longest: number) =>
  textOrNull.refine((text) => text === null || text.length <= longest, {
    error: `is too long: at most ${longest.toLocaleString("en")} characters`,
  });

const providerChoice = z
  .union([z.string().max(64), z.null()])
  .transform((v) => (v === null || ["", "none"].includes(v.trim()) ? null : v.trim()));

/** Restricted to four-digit years, which every client and PostgreSQL read alike. */
function storableDate(value: string | number): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || time.getTime() < 0 || time.getUTCFullYear() > 9999
    ? undefined
    : time.toISOString();
}

export const workspaceUpdate = z.object({
  name: z
    .union([z.string(), z.null()])
    .transform((v) => clipText((v ?? "").trim(), 255) || "My Workspace")
    .optional(),
  openAiTemp: floatOr(null, (n) => (n >= 0 ? n : null)).optional(),
  openAiHistory: integerOr(20, (n) => Math.max(0, n)).optional(),
  openAiPrompt: textUpTo(100_000).optional(),
  similarityThreshold: floatOr(0.25, (n) => Math.min(1, Math.max(0, n))).optional(),
  topN: integerOr(4, (n) => (n >= 1 ? Math.min(n, 100) : 4)).optional(),
  chatMode: z
    .union([z.string(), z.null()])
    .transform((v) => (v === "query" || v === "automatic" ? v : ("chat" as const)))
    .optional(),
  /**
   * `default` also clears the model, even if one is sent. The service rejects unknown providers.
   */
  chatProvider: providerChoice.optional(),
  chatModel: textUpTo(255).optional(),
  agentProvider: providerChoice.optional(),
  agentModel: textUpTo(255).optional(),
  queryRefusalResponse: textUpTo(10_000).optional(),
  vectorSearchMode: z
    .union([z.string(), z.null()])
    .transform((v) => (v === "rerank" ? ("rerank" as const) : ("default" as const)))
    .optional(),
  /** A date in any format clients send; an invalid one is ignored. */
  lastUpdatedAt: z
    .union([z.string().max(64), z.number()])
    .transform((v) => storableDate(v))
    .optional()
    .catch(undefined),
});

export const workspaceCreated = defineEvent({
  name: "workspace.created",
  service: "workspace",
  consumers: [],
  payload: z.object({ workspaceId: z.number().int() }),
});

export const workspaceUpdated = defineEvent({
  name: "workspace.updated",
  service: "workspace",
  consumers: [],
  payload: z.object({ workspaceId: z.number().int() }),
});

/**
 * chat and ingest delete their data of the workspace and call `confirmWorkspaceDeleted`; the
 * tombstone stays until both have.
 */
export const workspaceDeleted = defineEvent({
  name: "workspace.deleted",
  service: "workspace",
  consumers: ["chat", "ingest"],
  payload: z.object({ workspaceId: z.number().int() }),
});

/** The row as sent to clients, wire-contract 3.1. */
export const workspaceWire = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  vectorTag: z.null(),
  createdAt: z.string(),
  openAiTemp: z.number().nullable(),
  openAiHistory: z.number().int(),
  lastUpdatedAt: z.string(),
  openAiPrompt: z.string().nullable(),
  similarityThreshold: z.number(),
  chatProvider: z.string().nullable(),
  chatModel: z.string().nullable(),
  topN: z.number().int(),
  chatMode: z.enum(chatModes),
  pfpFilename: z.string().nullable(),
  agentProvider: z.string().nullable(),
  agentModel: z.string().nullable(),
  queryRefusalResponse: z.string().nullable(),
  vectorSearchMode: z.enum(["default", "rerank"]),
  router_id: z.null(),
});

export type WorkspaceWire = z.infer<typeof workspaceWire>;

/** Membership sent to users with role default along with a workspace: only their own row. */
export const workspaceUserWire = z.object({
  user_id: z.number().int(),
  workspace_id: z.number().int(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
});

export type WorkspaceUserWire = z.infer<typeof workspaceUserWire>;

export const workspaceDetailWire = workspaceWire.extend({
  /** Only for role default (wire-contract 3.1). */
  workspace_users: z.array(workspaceUserWire).optional(),
  documents: z.array(workspaceDocumentWire),
  contextWindow: z.number().int().nullable(),
  currentContextTokenCount: z.number().int(),
});

export type WorkspaceDetailWire = z.infer<typeof workspaceDetailWire>;

/**
 * Internal: resolves a slug to the workspace for this principal; WORKSPACE_NOT_FOUND for unknown
 * and inaccessible ones alike.
 */
export const resolveWorkspace = defineOperation({
  name: "workspace.workspace.resolve",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ slug }),
  output: z.object({ scope: scopeSchema }),
});

/** Internal: settings of the workspace in scope that chat and ingest need. */
export const getWorkspaceSettings = defineOperation({
  name: "workspace.workspace.settings",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({
    workspace: workspaceWire,
    /**
     * For a workspace without `openAiPrompt`: the instance's prompt or the built-in one. Changes
     * are announced by `settings.changed` with `default_system_prompt`.
     */
    defaultPrompt: z.string().optional(),
    /** null: the instance's. */
    fallbackModels: fallbackModels.nullish(),
    parameters: answerParameters.nullish(),
  }),
});

export const listWorkspaces = defineOperation({
  name: "workspace.workspace.list",
  service: "workspace",
  access: { who: "session" },
  mount: "custom",
  routes: [
    { method: "GET", path: "/workspaces", summary: "List the workspaces you can use" },
    {
      name: "gateway.extension.workspaces",
      method: "GET",
      path: "/browser-extension/workspaces",
      summary: "List the workspaces that the key's owner can use",
      access: { who: "extension" },
      errors: refusedExtension,
    },
  ],
  input: z.object({}),
  output: z.object({ workspaces: z.array(workspaceWire) }),
});

export const createWorkspace = defineOperation({
  name: "workspace.workspace.create",
  service: "workspace",
  access: { who: "manager", memberMay: "createWorkspaces" },
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/workspace/new",
      summary: "Create a workspace",
      input: z.object({ name: z.string().nullish(), onboardingComplete: z.unknown().optional() }),
    },
    {
      ...byKey("admin"),
      name: "gateway.developer-workspace.create",
      method: "POST",
      path: "/v1/workspace/new",
      summary: "Create a workspace with its settings",
      input: workspaceUpdate
        .extend({ name: z.string().nullish() })
        .transform(({ name, ...settings }) => ({ name, settings })),
      errors: {
        ...refusedKey,
        REFUSED: { status: 400, kind: "json", body: { workspace: null, message: "$message" } },
        BAD_INPUT: { status: 400, kind: "json", body: { workspace: null, message: "$message" } },
        SETTING_REFUSED: {
          status: 400,
          kind: "json",
          body: { workspace: null, message: "$message" },
        },
      },
    },
  ],
  // On this wire, a missing or empty name is a refusal with status 200.
  input: z.object({
    name: z.string().nullish(),
    /** Sent by the first-run wizard; ignored. */
    onboardingComplete: z.unknown().optional(),
    /** Only on the developer API's route. */
    settings: workspaceUpdate.omit({ name: true }).optional(),
  }),
  output: z.object({ workspace: workspaceWire.nullable(), message: z.string().nullable() }),
  errors: {
    REFUSED: { status: 200, kind: "json", body: { workspace: null, message: "$message" } },
  },
});

/**
 * A view: workspace + its documents (ingest) + context window (chat). An unknown workspace is 200
 * with null on this wire.
 */
export const getWorkspace = defineOperation({
  name: "gateway.workspace.get",
  service: "gateway",
  access: { who: "session", workspace: true },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug",
      summary: "Get a workspace with its documents",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ workspace: workspaceDetailWire.nullable() }),
  errors: { WORKSPACE_NOT_FOUND: { status: 200, kind: "json", body: { workspace: null } } },
});

export const updateWorkspace = defineOperation({
  name: "workspace.workspace.update",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/update",
      summary: "Update a workspace's name and settings",
    },
    {
      ...byKey("admin", { workspace: true }),
      name: "gateway.developer-workspace.update",
      method: "POST",
      path: "/v1/workspace/:slug/update",
      summary: "Update a workspace's name and settings",
    },
  ],
  input: workspaceUpdate.extend({ slug }),
  output: z.object({
    workspace: z.union([workspaceWire, z.object({ id: z.number().int() })]),
    fault: faultWire.nullish(),
  }),
  english: { field: "message" },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
});

export const deleteWorkspace = defineOperation({
  name: "workspace.workspace.delete",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug",
      summary: "Delete a workspace, its threads and its vectors; source files are kept",
    },
    {
      ...byKey("admin", { workspace: true }),
      name: "gateway.developer-workspace.delete",
      method: "DELETE",
      path: "/v1/workspace/:slug",
      summary: "Delete a workspace, its threads and its vectors; source files are kept",
    },
  ],
  input: z.object({ slug }),
  /** For the gateway, which deletes the picture's blob; not part of the response. */
  output: z.object({ pictureKey: z.string().nullish() }),
  success: { status: 200, kind: "text" },
  errors: {
    WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
    DISABLED: { status: 403, kind: "json", body: { success: false, error: "$message" } },
  },
});

/** Internal: workspace names for lists; unknown and deleted ids are omitted. */
export const findWorkspaces = defineOperation({
  name: "workspace.workspace.find-many",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ ids: z.array(z.number().int()).max(10_000) }),
  output: z.object({
    workspaces: z.array(z.object({ id: z.number().int(), name: z.string(), slug: z.string() })),
  }),
});

export const confirmWorkspaceDeleted = defineOperation({
  name: "workspace.workspace.confirm-deleted",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ workspaceId: z.number().int(), service: z.enum(["chat", "ingest"]) }),
  output: z.object({}),
});

/**
 * Which of these workspaces no longer exist, not even as a tombstone; the daily comparison removes
 * any data a service still has for them.
 */
export const findMissingWorkspaces = defineOperation({
  name: "workspace.workspace.find-missing",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ ids: z.array(z.number().int()).max(10_000) }),
  output: z.object({ ids: z.array(z.number().int()) }),
});

export const workspaceContracts: Contracts = {
  operations: [
    resolveWorkspace,
    getWorkspaceSettings,
    listWorkspaces,
    createWorkspace,
    getWorkspace,
    updateWorkspace,
    deleteWorkspace,
    findWorkspaces,
    confirmWorkspaceDeleted,
    findMissingWorkspaces,
  ],
  events: [workspaceCreated, workspaceUpdated, workspaceDeleted],
};
