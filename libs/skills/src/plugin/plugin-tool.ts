import { clipText, type PluginManifest, type PluginPermissions } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import { onOneLine, withoutBlockMarks, withoutHidden } from "../plain-text.ts";
import { toolFault } from "../tool-fault.ts";
import type { JsonSchema, Tool, ToolError } from "../tool.ts";
import { createPluginFetch } from "./plugin-fetch.ts";
import {
  pluginRunLimits,
  PluginsBusyError,
  runPlugin,
  type PluginStorage,
} from "./plugin-runner.ts";

/** A plugin as it may run. */
export interface ReadyPlugin {
  manifest: PluginManifest;
  granted: PluginPermissions;
  /** Its files and values, loaded for a call. */
  load(): Promise<{ files: ReadonlyMap<string, Uint8Array>; args: ReadonlyMap<string, string> }>;
  storage: PluginStorage;
}

/** What a call of a plugin wrote, showed and requested. */
export interface PluginLine {
  kind: "log" | "shown" | "request";
  text: string;
}

/** UTF-16 units that the model reads. */
const mostText = 100_000;

/** As existing clients and rules name it. */
export const pluginSkill = (hubId: string): string => `@@${hubId}`;

/** Calls a plugin once. Throws ToolError. */
export async function callPlugin(
  { manifest, granted, load, storage }: ReadyPlugin,
  input: unknown,
  o: { content: ContentClient; signal: AbortSignal; note(line: PluginLine): void },
): Promise<string> {
  const { permissions: _, ...config } = manifest;
  const { hubId } = config;
  const name = config.name || hubId;
  const { files, args } = await load();
  const runtimeArgs: Record<string, string | null> = {};
  for (const [key, argument] of Object.entries(manifest.setup_args)) {
    if (!granted.secrets.includes(key)) continue;
    const value = args.get(key) ?? argument.input.default;
    if (value === "" && argument.required)
      throw toolFault({ code: "plugin.argument-missing", params: { plugin: name, name: key } });
    runtimeArgs[key] = value === "" ? null : value;
  }
  const outcome = await runPlugin(
    {
      hubId,
      files,
      entry: manifest.entrypoint.file,
      // As plugin.json says it; values aren't among it.
      config: { ...config, name, active: true, imported: true },
      runtimeArgs,
      input,
    },
    {
      fetch: createPluginFetch({
        content: o.content,
        hosts: granted.hosts,
        hasSecrets: granted.secrets.length > 0,
        onRequest: (text) => o.note({ kind: "request", text }),
      }),
      storage: granted.storage ? storage : null,
      note: ({ kind, text }) => o.note({ kind, text: withoutHidden(text) }),
    },
    o.signal,
  ).catch((fault: unknown) => {
    if (fault instanceof PluginsBusyError) throw toolFault({ code: "plugin.busy" });
    throw fault;
  });
  if (outcome.state !== "done") throw describeFailure(name, outcome);
  return withoutBlockMarks(withoutHidden(outcome.text));
}

function describeFailure(
  plugin: string,
  outcome: Exclude<Awaited<ReturnType<typeof runPlugin>>, { state: "done" }>,
): ToolError {
  switch (outcome.state) {
    case "failed": {
      const reason = onOneLine(clipText(outcome.reason, 1_000));
      return toolFault({ code: "plugin.failed", params: { plugin, reason } });
    }
    case "timed-out": {
      const seconds = pluginRunLimits.milliseconds / 1_000;
      return toolFault({ code: "plugin.timed-out", params: { plugin, seconds } });
    }
    case "out-of-memory": {
      const megabytes = pluginRunLimits.memoryBytes / 1024 / 1024;
      return toolFault({ code: "plugin.out-of-memory", params: { plugin, megabytes } });
    }
    case "crashed":
      return toolFault({ code: "plugin.crashed", params: { plugin } });
  }
}

/** The parameters of the tool. Existing plugins expect to get each or none of them. */
function inputSchema({ entrypoint: { params } }: PluginManifest): JsonSchema {
  const properties = Object.entries(params).map(([name, { type, description, enum: values }]) => [
    name,
    {
      type,
      ...(description !== "" && { description }),
      ...(values !== undefined && values.length > 0 && { enum: values }),
      ...(type === "array" && { items: {} }),
    },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as Record<string, unknown>,
    additionalProperties: false,
  };
}

function describe({ name, hubId, description, examples }: PluginManifest): string {
  const shown = examples
    .slice(0, 5)
    .map(({ prompt, call }) => `\n- ${onOneLine(prompt)}: ${onOneLine(call)}`);
  const text = description.trim() === "" ? `Calls the plugin ${name || hubId}.` : description;
  return clipText(
    withoutHidden(shown.length === 0 ? text : `${text}\nExamples:${shown.join("")}`),
    4_000,
  );
}

/**
 * Makes a plugin a tool for agents. An admin has confirmed its content, so its description taints
 * nothing; what it returns does. What it gets can go to any of its hosts, and what it keeps can reach
 * whoever calls it next.
 */
export function createPluginTool(plugin: ReadyPlugin, content: ContentClient): Tool {
  const { manifest, granted } = plugin;
  const { hubId } = manifest;
  const sends = granted.hosts.length > 0;
  const effect = sends ? "send" : granted.storage ? "write" : "none";
  return {
    skill: pluginSkill(hubId),
    name: hubId,
    description: describe(manifest),
    input: inputSchema(manifest),
    effect,
    isUntrusted: true,
    isRepeatable: effect === "none",
    approval: sends ? "always" : granted.storage ? "when-tainted" : "never",
    timeoutMs: pluginRunLimits.milliseconds + 60_000,
    object: (input) => firstText(input),
    describe: (input) => ({
      destination: sends ? granted.hosts.join(", ") : null,
      details: Object.entries(Object(input) as Record<string, unknown>).map(([label, value]) => ({
        label,
        value: typeof value === "string" ? value : JSON.stringify(value),
      })),
    }),
    async run(input, call) {
      const text = await callPlugin(plugin, input, {
        content,
        signal: call.signal,
        note: ({ kind, text: shown }) => {
          if (kind === "shown") call.note?.(onOneLine(clipText(shown, 300)));
        },
      });
      return {
        text:
          text.length > mostText
            ? `${clipText(text, mostText)}\n[The rest was cut off after 100 kB.]`
            : text || "The plugin returned nothing.",
      };
    },
  };
}

/** What a call is about: the first of its values that is a short text. */
function firstText(input: unknown): string | null {
  const values = Object.values(Object(input) as Record<string, unknown>);
  const text = values.find(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  );
  return text === undefined ? null : clipText(onOneLine(text), 80);
}
