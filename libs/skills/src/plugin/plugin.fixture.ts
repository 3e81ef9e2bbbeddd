import { createContentClient } from "@carrel/egress";
import { createPluginFetch } from "./plugin-fetch.ts";
import {
  pluginRunLimits,
  runPlugin,
  type PluginOutcome,
  type PluginPorts,
  type PluginRunLimits,
  type PluginStorage,
} from "./plugin-runner.ts";

/** A storage in memory. */
export function memoryStorage(): PluginStorage & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    get: (key) => Promise.resolve(values.get(key) ?? null),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
    delete: (key) => Promise.resolve(void values.delete(key)),
    keys: () => Promise.resolve([...values.keys()]),
  };
}

interface Given {
  /** The handler's body, in an async function with `input`; or a whole handler.js. */
  code: string;
  hubId?: string;
  files?: Readonly<Record<string, string>>;
  input?: unknown;
  args?: Readonly<Record<string, string>>;
  hosts?: string[];
  allow?: string[];
  storage?: PluginStorage | null;
  limits?: Partial<PluginRunLimits>;
  signal?: AbortSignal;
}

/** Runs a plugin made of a few lines; `lines` has what it wrote and showed. */
export async function run(
  given: string | Given,
): Promise<{ outcome: PluginOutcome; lines: Parameters<PluginPorts["note"]>[0][] }> {
  const o: Given = typeof given === "string" ? { code: given } : given;
  const handler = o.code.includes("module.exports")
    ? o.code
    : `module.exports.runtime = { handler: async function (input) { ${o.code} } };`;
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const files = new Map(
    Object.entries({ "handler.js": handler, ...o.files }).map(([path, text]) => [
      path,
      bytes(text),
    ]),
  );
  const lines: Parameters<PluginPorts["note"]>[0][] = [];
  const outcome = await runPlugin(
    {
      hubId: o.hubId ?? "test-plugin",
      files,
      entry: "handler.js",
      config: {
        hubId: "test-plugin",
        name: "Test plugin",
        version: "1.2.3",
        entrypoint: { params: { city: { type: "string" } } },
      },
      runtimeArgs: o.args ?? {},
      input: o.input ?? {},
    },
    {
      fetch: createPluginFetch({
        content: createContentClient({ allow: o.allow ?? [] }),
        hosts: o.hosts ?? [],
        hasSecrets: o.args !== undefined,
      }),
      storage: o.storage ?? null,
      note: (line) => lines.push(line),
    },
    o.signal ?? new AbortController().signal,
    { ...pluginRunLimits, ...o.limits },
  );
  return { outcome, lines };
}
