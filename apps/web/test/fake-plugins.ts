import {
  confirmPlugin,
  deletePlugin,
  getPlugin,
  listPlugins,
  readPluginFile,
  setPluginArguments,
  togglePlugin,
  tryPlugin,
  uploadPlugin,
  type Out,
  type PluginDetail,
  type PluginPermissions,
  type PluginSummary,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

const handler = `module.exports.runtime = {
  handler: async function ({ city }) {
    this.introspect(\`Asking the station in \${city}\`);
    const reply = await fetch(\`https://api.weather.example/v1/\${city}\`, {
      headers: { "X-Api-Key": this.runtimeArgs["API_KEY"] },
    });
    return (await reply.json()).summary;
  },
};
`;

/** Plugins of the fake gateway; none at first. */
export class FakePlugins {
  plugins: PluginDetail[] = [];
  problems: Out<typeof listPlugins>["problems"] = [];
  /** Bodies of calls that change or run plugins. */
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  trial: Out<typeof tryPlugin> = {
    text: "31 degrees and sunny.",
    fault: null,
    log: [
      { kind: "shown", text: "Asking the station in Rome", milliseconds: 84 },
      { kind: "request", text: "GET https://api.weather.example/v1/Rome", milliseconds: 91 },
      { kind: "log", text: '200 {"summary":"31 degrees and sunny."}', milliseconds: 342 },
    ],
    milliseconds: 351,
  };

  add(hubId: string, name: string, more: Partial<PluginDetail> = {}): PluginDetail {
    const plugin: PluginDetail = {
      hubId,
      name,
      version: "1.2.0",
      description: "Tells the weather of a city from the nearest station.",
      author: "@weatherfans",
      authorUrl: "https://author.example",
      license: "MIT",
      source: "upload",
      active: false,
      review: "new",
      missing: ["API_KEY"],
      hash: "a".repeat(64),
      bytes: 12_300,
      updatedAt: new Date(Date.now() - 3_600_000).toISOString(),
      arguments: [
        {
          name: "API_KEY",
          type: "text",
          required: true,
          isSecret: true,
          placeholder: "sk-…",
          hint: "From your account at weather.example.",
          default: "",
          value: "",
        },
        {
          name: "UNIT",
          type: "text",
          required: false,
          isSecret: false,
          placeholder: "",
          hint: "",
          default: "metric",
          value: "",
        },
      ],
      params: {
        city: { description: "The city whose weather is wanted.", type: "string" },
        days: { description: "", type: "integer" },
        detailed: { description: "", type: "boolean" },
      },
      examples: [{ prompt: "How warm is it in Rome?", call: '{"city":"Rome"}' }],
      entry: "handler.js",
      files: [
        { path: "handler.js", bytes: handler.length },
        { path: "plugin.json", bytes: 900 },
      ],
      granted: null,
      previous: null,
      proposed: { hosts: ["api.weather.example"], storage: false, secrets: ["API_KEY"] },
      isDeclared: false,
      confirmedBy: null,
      confirmedAt: null,
      ...more,
    };
    this.plugins.push(plugin);
    return plugin;
  }

  fill(): void {
    const granted = { hosts: ["*.tickets.example"], storage: true, secrets: [] };
    this.add("weather", "Weather stations");
    this.add("tickets", "Ticket desk", {
      description: "Files tickets with the facilities team and tells how they stand.",
      active: true,
      review: "confirmed",
      missing: [],
      arguments: [],
      granted,
      proposed: { ...granted, hosts: [...granted.hosts, "desk.example"] },
      source: "folder",
      confirmedAt: new Date(Date.now() - 86_400_000).toISOString(),
    });
    this.add("rates", "Exchange rates", {
      description: "Converts money at today's rates.",
      review: "changed",
      missing: [],
      previous: { hosts: ["api.rates.example"], storage: false, secrets: [] },
      proposed: {
        hosts: ["api.rates.example", "cdn.tracker.example"],
        storage: false,
        secrets: [],
      },
    });
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply, json } = call;
    if (!/^\/(?:plugins|experimental\/agent-plugins)(?:\/|$)/.test(path)) return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ method, path, body });
    if (at("GET", /^\/plugins$/))
      return answered(
        reply(listPlugins, {
          plugins: this.plugins
            .map((plugin): PluginSummary => plugin)
            .toSorted((a, b) => a.name.localeCompare(b.name)),
          problems: this.problems,
        }),
      );
    if (at("POST", /^\/plugins$/))
      return answered(reply(uploadPlugin, this.add("weather", "Weather stations")));
    const hubId = /(?:plugins|agent-plugins)\/([^/]+)/.exec(path)?.[1];
    const plugin = this.plugins.find((each) => each.hubId === hubId);
    if (!plugin) return answered(json({ error: "This plugin doesn't exist." }, 404));
    if (at("GET", /\/file$/)) {
      const text = call.query.get("path") === "handler.js" ? handler : '{"hubId":"weather"}';
      return answered(reply(readPluginFile, { text, isCut: false }));
    }
    if (at("GET", /^\/plugins\/[^/]+$/)) return answered(reply(getPlugin, plugin));
    if (at("PUT", /\/permissions$/)) {
      Object.assign(plugin, {
        granted: body.permissions as PluginPermissions,
        review: "confirmed",
        confirmedAt: new Date().toISOString(),
      });
      return answered(reply(confirmPlugin, plugin));
    }
    if (at("PUT", /\/arguments$/)) {
      const values = body.values as Record<string, string>;
      plugin.arguments = plugin.arguments.map((argument) => ({
        ...argument,
        value: argument.isSecret
          ? (values[argument.name] ?? argument.value) && "********"
          : (values[argument.name] ?? argument.value),
      }));
      plugin.missing = [];
      return answered(reply(setPluginArguments, plugin));
    }
    if (at("POST", /\/toggle$/)) {
      plugin.active = body.active === true;
      return answered(reply(togglePlugin, plugin as never));
    }
    if (at("POST", /\/try$/)) return answered(reply(tryPlugin, this.trial));
    if (method !== "DELETE") return false;
    this.plugins = this.plugins.filter((each) => each !== plugin);
    return answered(reply(deletePlugin, true));
  }
}
