import { z } from "zod";
import { clipText } from "../clip-text.ts";
import { readCredentialHost } from "./credential-host.ts";

/*
 * `plugin.json` of imported agent skills (wire-contract 5.9), which others have written: fields
 * that Carrel doesn't know are dropped.
 */

/** Also the name of its tool and of its folder. */
export const pluginId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);

export const pluginLimits = {
  /** Bytes of all files together. */
  bytes: 5_000_000,
  files: 2_000,
  /** Bytes of plugin.json, much of which each agent's model reads. */
  manifest: 100_000,
  /** UTF-16 units of a file's path. */
  path: 300,
  /** UTF-16 units of one argument. */
  argument: 10_000,
  arguments: 50,
  params: 50,
  hosts: 50,
};

const longest = 4_000;
/** PostgreSQL can store neither U+0000 nor half a surrogate pair. */
const clean = (given: string): string => given.replaceAll("\0", "").toWellFormed();
/** Versions and the like are sometimes written as numbers. */
const text = (most: number) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .nullish()
    .transform((value) => clipText(clean(String(value ?? "")), most));

/** Names of arguments and parameters; vendors accept these. */
const fieldName = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/);

const setupArgument = z
  .object({
    type: text(50),
    required: z.boolean().catch(false),
    input: z
      .object({
        type: text(50),
        default: text(pluginLimits.argument),
        placeholder: text(500),
        hint: text(2_000),
      })
      .catch({ type: "text", default: "", placeholder: "", hint: "" })
      .prefault({}),
    value: text(pluginLimits.argument),
    default: text(pluginLimits.argument),
  })
  // Forms show the inner default, and AnythingLLM runs with the outer one.
  .transform(({ default: outer, input, ...argument }) => ({
    ...argument,
    input: { ...input, default: input.default || outer },
  }));

export const pluginParamTypes = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
] as const;
const param = z.object({
  description: text(2_000),
  type: z.enum(pluginParamTypes).catch("string"),
  enum: z
    .array(z.union([z.string().max(500).transform(clean), z.number(), z.boolean()]))
    .max(200)
    .optional(),
});

/** A host as credentials have it; without a port, it stands for all of its ports. */
const pluginHost = z
  .string()
  .max(260)
  .overwrite((text) => readCredentialHost(text) ?? text)
  .refine((text) => readCredentialHost(text) !== null);

/** What a plugin may do beyond computing. */
export const pluginPermissions = z.object({
  hosts: z.array(pluginHost).max(pluginLimits.hosts),
  /** Whether it keeps values between calls. */
  storage: z.boolean(),
  /** Names of the arguments that it gets. */
  secrets: z.array(fieldName).max(pluginLimits.arguments),
});
export type PluginPermissions = z.infer<typeof pluginPermissions>;

const record = <T extends z.ZodType>(value: T, most: number) =>
  z
    .record(fieldName, value)
    .refine((given) => Object.keys(given).length <= most, { error: `more than ${most} entries` });

export const pluginManifest = z.object({
  hubId: pluginId,
  name: text(200),
  schema: text(50),
  version: text(50),
  description: text(longest),
  author: text(200),
  author_url: text(500),
  license: text(100),
  setup_args: record(setupArgument, pluginLimits.arguments)
    .nullish()
    .transform((given) => given ?? {}),
  examples: z
    .array(z.object({ prompt: text(1_000), call: text(2_000) }))
    .max(50)
    .catch([])
    .prefault([]),
  entrypoint: z.object({
    file: z.string().min(1).max(pluginLimits.path).prefault("handler.js"),
    params: record(param, pluginLimits.params)
      .nullish()
      .transform((given) => given ?? {}),
  }),
  permissions: pluginPermissions.optional(),
});
export type PluginManifest = z.infer<typeof pluginManifest>;
