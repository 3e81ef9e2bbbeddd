import {
  CarrelError,
  configureLegacyPlugin,
  confirmPlugin,
  deletePlugin,
  getPlugin,
  installPlugin,
  listLegacyPlugins,
  listPlugins,
  readPluginFile,
  setPluginArguments,
  togglePlugin,
  tryPlugin,
  type In,
  type LegacyPlugin,
  type PluginDetail,
  type PluginSummary,
} from "@carrel/contracts";
import { fileForm } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const hubId = "weather";
const hash = "a".repeat(64);
const summary: PluginSummary = {
  hubId,
  name: "Weather",
  version: "1.0.0",
  description: "Tells the weather.",
  author: "@someone",
  authorUrl: "https://author.example",
  license: "MIT",
  source: "upload",
  active: false,
  review: "confirmed",
  missing: [],
  hash,
  bytes: 1_200,
  updatedAt: "2026-11-30T00:00:00.000Z",
};
const permissions = { hosts: ["api.example.org"], storage: false, secrets: ["API_KEY"] };
const input = { type: "text", default: "", placeholder: "sk-…", hint: "From your account" };
const params = { city: { description: "Where", type: "string" as const } };
const detail: PluginDetail = {
  ...summary,
  arguments: [
    {
      name: "API_KEY",
      type: "text",
      required: true,
      isSecret: true,
      placeholder: "sk-…",
      hint: "From your account",
      default: "",
      value: "********",
    },
  ],
  params,
  examples: [],
  entry: "handler.js",
  files: [{ path: "handler.js", bytes: 900 }],
  granted: permissions,
  previous: null,
  proposed: permissions,
  isDeclared: false,
  confirmedBy: null,
  confirmedAt: "2026-11-30T00:00:00.000Z",
};
const legacy: LegacyPlugin = {
  active: true,
  hubId,
  name: "Weather",
  schema: "skill-1.0.0",
  version: "1.0.0",
  description: "Tells the weather.",
  author: "@someone",
  author_url: "https://author.example",
  license: "MIT",
  setup_args: { API_KEY: { type: "string", required: true, input, value: "********" } },
  examples: [],
  entrypoint: { file: "handler.js", params },
  imported: true,
};
const trial = { text: "31 degrees", fault: null, log: [], milliseconds: 120 };

export function answerPluginRows({ chat }: TestInstance): void {
  const known = (input: { hubId: string }): void => {
    if (input.hubId !== hubId && input.hubId !== "new") throw new CarrelError("plugin.not-found");
  };
  const knowing =
    <O>(output: O) =>
    (input: { hubId: string }): O => {
      known(input);
      return output;
    };
  chat
    .answer(listPlugins, { plugins: [summary], problems: [] })
    .answer(listLegacyPlugins, { plugins: [legacy] })
    .answer(getPlugin, knowing(detail))
    .answer(readPluginFile, { text: "module.exports = {};", isCut: false })
    .answer(installPlugin, summary)
    .answer(confirmPlugin, (input: In<typeof confirmPlugin>) => {
      if (input.hash !== hash) throw new CarrelError("plugin.changed");
      return detail;
    })
    .answer(setPluginArguments, knowing(detail))
    .answer(configureLegacyPlugin, knowing(legacy))
    .answer(togglePlugin, (input: In<typeof togglePlugin>) => {
      known(input);
      if (input.hubId === "new") throw new CarrelError("plugin.not-confirmed");
      return legacy;
    })
    .answer(deletePlugin, true)
    .answer(tryPlugin, trial);
}

const refusal = (error: string) => ({ body: { success: false, error } });
const path = (rest: string, id = hubId): string => `/experimental/agent-plugins/${id}${rest}`;

export const pluginRows: Row[] = [
  // wire-contract 5.9
  row("chat.plugin.toggle", ["POST", path("/toggle"), { active: true }], 200, json, {
    body: legacy,
  }),
  row("chat.plugin.toggle", ["POST", path("/toggle", "gone"), { active: true }], 200, null),
  row(
    "chat.plugin.toggle",
    ["POST", path("/toggle", "new"), { active: true }],
    400,
    json,
    refusal(
      "An admin has to confirm this plugin's permissions before it can be used: in Carrel, Settings > Agents > Plugins.",
    ),
  ),
  row(
    "chat.plugin.configure-legacy",
    ["POST", path("/config"), { updates: { setup_args: legacy.setup_args } }],
    200,
    json,
    { body: legacy },
  ),
  row(
    "chat.plugin.configure-legacy",
    ["POST", path("/config"), { updates: { hubId: "other", active: true } }],
    200,
    json,
    { body: legacy },
  ),
  row("chat.plugin.configure-legacy", ["POST", path("/config", "gone"), {}], 200, null),
  row("chat.plugin.delete", ["DELETE", path("")], 200, json, { body: true }),
  // Carrel-specific (docs/decisions/plugins.md).
  row("chat.plugin.list", ["GET", "/plugins"], 200, json, {
    body: { plugins: [summary], problems: [] },
  }),
  row("gateway.plugin.upload", ["POST", "/plugins", fileForm("weather.zip")], 200, json, {
    body: summary,
  }),
  row("chat.plugin.get", ["GET", `/plugins/${hubId}`], 200, json, { body: detail }),
  row(
    "chat.plugin.get",
    ["GET", "/plugins/gone"],
    404,
    json,
    refusal("This plugin doesn't exist."),
  ),
  row("chat.plugin.read-file", ["GET", `/plugins/${hubId}/file?path=handler.js`], 200, json, {
    body: { text: "module.exports = {};", isCut: false },
  }),
  row(
    "chat.plugin.confirm",
    ["PUT", `/plugins/${hubId}/permissions`, { hash, permissions }],
    200,
    json,
    {
      body: detail,
    },
  ),
  row(
    "chat.plugin.confirm",
    ["PUT", `/plugins/${hubId}/permissions`, { hash: "old", permissions }],
    409,
    json,
    refusal("This plugin was changed in the meantime. Review it again."),
  ),
  row(
    "chat.plugin.set-arguments",
    ["PUT", `/plugins/${hubId}/arguments`, { values: { API_KEY: "sk-1" } }],
    200,
    json,
    { body: detail },
  ),
  row(
    "chat.plugin.try",
    ["POST", `/plugins/${hubId}/try`, { input: { city: "Rome" } }],
    200,
    json,
    {
      body: trial,
    },
  ),
];
