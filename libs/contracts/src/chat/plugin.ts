import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { pluginParamTypes, pluginPermissions } from "./plugin-manifest.ts";

/*
 * Plugins: imported agent skills (wire-contract 5.9), run in a sandbox with the permissions that an
 * admin has confirmed (docs/decisions/plugins.md).
 */

/** Missing and malformed ones look the same. */
const hubId = z.string().min(1).max(200);

/** Where a plugin came from. */
export const pluginSources = ["upload", "folder", "hub"] as const;

/** An argument as forms show it; the value of a secret is masked (`secretMask`), or empty. */
const pluginArgument = z.object({
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  isSecret: z.boolean(),
  placeholder: z.string(),
  hint: z.string(),
  default: z.string(),
  value: z.string(),
});
export type PluginArgument = z.infer<typeof pluginArgument>;

export const pluginSummary = z.object({
  hubId: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string(),
  authorUrl: z.string(),
  license: z.string(),
  source: z.enum(pluginSources),
  /** Whether agents can call it. */
  active: z.boolean(),
  /**
   * confirmed: it may be switched on. new: its permissions were never confirmed. changed: its
   * content has changed since they were.
   */
  review: z.enum(["confirmed", "new", "changed"]),
  /** Required arguments without a value. */
  missing: z.array(z.string()),
  /** Of its files. */
  hash: z.string(),
  bytes: z.number().int(),
  /** ISO 8601. */
  updatedAt: z.string(),
});
export type PluginSummary = z.infer<typeof pluginSummary>;

/** Parameters of a plugin's tool, by name. */
const pluginParams = z.record(
  z.string(),
  z.object({
    description: z.string(),
    type: z.enum(pluginParamTypes),
    enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
);
const pluginExample = z.object({ prompt: z.string(), call: z.string() });

export const pluginDetail = pluginSummary.extend({
  arguments: z.array(pluginArgument),
  params: pluginParams,
  examples: z.array(pluginExample),
  entry: z.string(),
  /** By path. */
  files: z.array(z.object({ path: z.string(), bytes: z.number().int() })),
  /** null: not confirmed for this content. */
  granted: pluginPermissions.nullable(),
  /** What was confirmed for another content; null if nothing was, or it still holds. */
  previous: pluginPermissions.nullable(),
  /** What it declares, or what its code seems to need. */
  proposed: pluginPermissions,
  /** Whether it declares its permissions. */
  isDeclared: z.boolean(),
  /** The account that confirmed them; null if there are no accounts, or nobody has. */
  confirmedBy: z.number().int().nullable(),
  confirmedAt: z.string().nullable(),
});
export type PluginDetail = z.infer<typeof pluginDetail>;

/** `plugin.json` as existing clients read it (wire-contract 5.9). */
const legacyPlugin = z.object({
  active: z.boolean(),
  hubId: z.string(),
  name: z.string(),
  schema: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string(),
  author_url: z.string(),
  license: z.string(),
  setup_args: z.record(
    z.string(),
    z.object({
      type: z.string(),
      required: z.boolean(),
      input: z.object({
        type: z.string(),
        default: z.string(),
        placeholder: z.string(),
        hint: z.string(),
      }),
      value: z.string(),
    }),
  ),
  examples: z.array(pluginExample),
  entrypoint: z.object({ file: z.string(), params: pluginParams }),
  imported: z.literal(true),
});
export type LegacyPlugin = z.infer<typeof legacyPlugin>;

const refuse = (status: number): ErrorReply => ({
  status,
  kind: "json",
  body: { success: false, error: "$message" },
});
const byAdmin = {
  service: "chat",
  access: { who: "admin" },
  errors: {
    BAD_INPUT: refuse(400),
    NOT_FOUND: refuse(404),
    CONFLICT: refuse(409),
    REFUSED: refuse(400),
    TOO_LARGE: refuse(413),
  },
} as const;
/** Existing clients read an empty reply. */
const noPlugin: ErrorReply = { status: 200, kind: "empty" };
const legacyErrors = { NOT_FOUND: noPlugin, REFUSED: refuse(400), BAD_INPUT: refuse(400) };

export const listPlugins = defineOperation({
  ...byAdmin,
  name: "chat.plugin.list",
  routes: [{ method: "GET", path: "/plugins", summary: "List plugins" }],
  input: z.object({}),
  output: z.object({
    /** By name. */
    plugins: z.array(pluginSummary),
    /** Folders that couldn't be adopted. */
    problems: z.array(z.object({ folder: z.string(), fault: faultWire })),
  }),
});

/** For the label `imported_agent_skills`; the gateway adds it to the other preferences. */
export const listLegacyPlugins = defineOperation({
  ...byAdmin,
  name: "chat.plugin.list-legacy",
  idempotency: "natural",
  input: z.object({}),
  output: z.object({ plugins: z.array(legacyPlugin) }),
});

export const getPlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.get",
  routes: [{ method: "GET", path: "/plugins/:hubId", summary: "Get a plugin" }],
  input: z.object({ hubId }),
  output: pluginDetail,
});

export const readPluginFile = defineOperation({
  ...byAdmin,
  name: "chat.plugin.read-file",
  routes: [
    { method: "GET", path: "/plugins/:hubId/file", summary: "Read a file of a plugin as text" },
  ],
  input: z.object({ hubId, path: z.string().min(1).max(1_000) }),
  output: z.object({
    /** The start of it; null if it isn't text. */
    text: z.string().nullable(),
    isCut: z.boolean(),
  }),
});

export const uploadPlugin = defineOperation({
  ...byAdmin,
  service: "gateway",
  name: "gateway.plugin.upload",
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/plugins",
      summary: "Install a plugin from a zip archive (multipart field file), switched off",
    },
  ],
  input: z.object({}),
  output: pluginSummary,
});

/** Installs the zip archive under a key of the blob store; nothing keeps it there. */
export const installPlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.install",
  input: z.object({
    blobKey: z.string().max(200),
    source: z.enum(["upload", "hub"]).default("upload"),
  }),
  output: pluginSummary,
});

export const confirmPlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.confirm",
  access: { who: "admin", proof: "recent" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/plugins/:hubId/permissions",
      summary: "Confirm what a plugin may do",
    },
  ],
  /** `hash` is that of the content which the admin has reviewed; refused if it is another now. */
  input: z.object({ hubId, hash: z.string().max(100), permissions: pluginPermissions }),
  output: pluginDetail,
});

/** Others keep their values, and so do secrets that are still masked. */
const pluginValues = z.object({
  hubId,
  values: z.record(z.string().max(64), z.string().max(100_000)),
});
const legacyUpdates = pluginValues.extend({ active: z.boolean().optional() });

export const setPluginArguments = defineOperation({
  ...byAdmin,
  name: "chat.plugin.set-arguments",
  access: { who: "admin", proof: "handler" },
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/plugins/:hubId/arguments",
      summary: "Set the arguments of a plugin",
    },
  ],
  input: pluginValues,
  output: pluginDetail,
});

export const configureLegacyPlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.configure-legacy",
  access: { who: "admin", proof: "handler" },
  idempotency: "natural",
  errors: legacyErrors,
  routes: [
    {
      method: "POST",
      path: "/experimental/agent-plugins/:hubId/config",
      summary: "Set the arguments of an imported agent skill, or switch it, as existing clients do",
      input: z
        .object({ hubId, updates: z.record(z.string(), z.unknown()).prefault({}) })
        .transform(({ hubId, updates }) => ({
          hubId,
          values: readLegacyValues(updates.setup_args),
          ...(typeof updates.active === "boolean" && { active: updates.active }),
        })),
    },
  ],
  input: legacyUpdates,
  output: legacyPlugin,
});

/** Existing clients send the whole arguments back. */
function readLegacyValues(given: unknown): Record<string, string> {
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(
    entries.flatMap(([name, argument]): [string, string][] => {
      const value = (argument as { value?: unknown } | null)?.value;
      const isText = ["string", "number", "boolean"].includes(typeof value);
      return isText && name.length <= 64 && name !== "__proto__" ? [[name, String(value)]] : [];
    }),
  );
}

export const togglePlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.toggle",
  idempotency: "natural",
  errors: legacyErrors,
  routes: [
    {
      method: "POST",
      path: "/experimental/agent-plugins/:hubId/toggle",
      summary: "Offer an imported agent skill to agents, or no longer",
    },
  ],
  input: z.object({ hubId, active: z.boolean() }),
  output: legacyPlugin,
});

export const deletePlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.delete",
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    {
      method: "DELETE",
      path: "/experimental/agent-plugins/:hubId",
      summary: "Delete an imported agent skill with what it has stored",
    },
  ],
  input: z.object({ hubId }),
  output: z.literal(true),
});

/** How long a trial may take, in ms. */
const trialMs = 75_000;
export const tryPlugin = defineOperation({
  ...byAdmin,
  name: "chat.plugin.try",
  timeoutMs: trialMs,
  routes: [{ method: "POST", path: "/plugins/:hubId/try", summary: "Call a plugin once" }],
  input: z.object({ hubId, input: z.record(z.string().max(64), z.unknown()).prefault({}) }),
  output: z.object({
    /** The start of what it returned; null if it failed. */
    text: z.string().nullable(),
    fault: faultWire.nullable(),
    /** What it wrote to its log and showed, with the time since its start. */
    log: z.array(
      z.object({
        kind: z.enum(["log", "shown", "request"]),
        text: z.string(),
        milliseconds: z.number().int(),
      }),
    ),
    milliseconds: z.number().int(),
  }),
});

export const pluginContracts: Contracts = {
  operations: [
    listPlugins,
    listLegacyPlugins,
    getPlugin,
    readPluginFile,
    uploadPlugin,
    installPlugin,
    confirmPlugin,
    setPluginArguments,
    configureLegacyPlugin,
    togglePlugin,
    deletePlugin,
    tryPlugin,
  ],
};
