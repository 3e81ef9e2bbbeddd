import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  configureLegacyPlugin,
  confirmPlugin,
  deletePlugin,
  eventLogged,
  getPlugin,
  listLegacyPlugins,
  listPlugins,
  readPluginFile,
  secretMask,
  setPluginArguments,
  togglePlugin,
  tryPlugin,
  type EventPayload,
  type PluginPermissions,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { poll } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { installFiles, pluginFiles } from "../../test/plugin-files.ts";
import { chatDatabase } from "../chat.database.ts";

const sessionId = "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01";
const scopeOf = (provenAt?: number): Scope => ({
  principal: { kind: "user", userId: 1, role: "admin", sessionId, provenAt } satisfies Principal,
  workspace: null,
});
const scope = scopeOf(Date.now() + 600_000) as never;
const unproven = scopeOf() as never;
const failsWith = (code: string) => expect.objectContaining({ code });

let chat: ChatInstance;
let source: DataSource;
const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(async () => {
  chat = await ChatInstance.start();
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
  await chat.startReplica();
  source = await createDataSource(chat.database.url, chatDatabase, { poolSize: 2 }).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await chat?.stop();
});

const get = (hubId: string) => chat.request(getPlugin, { hubId }, scope);
const nothing: PluginPermissions = { hosts: [], storage: false, secrets: [] };
const confirm = async (hubId: string, permissions: Partial<PluginPermissions> = {}) =>
  chat.request(
    confirmPlugin,
    { hubId, hash: (await get(hubId)).hash, permissions: { ...nothing, ...permissions } },
    scope,
  );
const toggle = (hubId: string, active: boolean) =>
  chat.request(togglePlugin, { hubId, active }, scope);
const tryOut = (hubId: string, input: Record<string, unknown> = {}) =>
  chat.request(tryPlugin, { hubId, input }, scope);
const setArgs = (hubId: string, values: Record<string, string>, as = scope) =>
  chat.request(setPluginArguments, { hubId, values }, as);
const rowOf = async (hubId: string): Promise<string> =>
  JSON.stringify(await source.query("SELECT * FROM chat.plugin WHERE hub_id = $1", [hubId]));

/** A schedule whose owner approved calls of the plugin in advance, and of another. */
const approve = async (hubId: string): Promise<void> => {
  const approvals = [hubId, "other"].map((tool) => ({ tool, destination: null }));
  await source.query("DELETE FROM chat.schedule");
  await source.query(
    `INSERT INTO chat.schedule (id, workspace_id, name, work, timing, missed, thread,
      only_when_changed, approvals, by_agent, active)
    VALUES (gen_random_uuid(), 1, 'Daily', '{}', '{}', 'once', 'none', false, $1, false, false)`,
    [JSON.stringify(approvals)],
  );
};
const approved = async (): Promise<string[]> => {
  const [row] = await source.query<[{ approvals: { tool: string }[] }]>(
    "SELECT approvals FROM chat.schedule",
  );
  return row.approvals.map(({ tool }) => tool);
};

const argument = (more: object = {}) => ({
  type: "string",
  required: true,
  input: { type: "text", default: "", placeholder: "sk-…", hint: "From your account" },
  ...more,
});

describe("plugins", () => {
  it("are installed switched off, and used only once their permissions are confirmed", async () => {
    const installed = await installFiles(
      chat,
      scope,
      pluginFiles({
        hubId: "weather",
        code: 'const r = await fetch("https://api.weather.example/v1?key=" + this.runtimeArgs.API_KEY); return r.text();',
        manifest: { setup_args: { API_KEY: argument() } },
      }),
    );
    expect(installed).toMatchObject({ active: false, review: "new", missing: ["API_KEY"] });
    const detail = await get("weather");
    expect(detail).toMatchObject({
      granted: null,
      proposed: { hosts: ["api.weather.example"], storage: false, secrets: ["API_KEY"] },
      isDeclared: false,
      params: { city: { type: "string", description: "Where" } },
      files: [
        { path: "handler.js", bytes: expect.any(Number) },
        { path: "plugin.json", bytes: expect.any(Number) },
      ],
    });
    await expect(toggle("weather", true)).rejects.toEqual(failsWith("plugin.not-confirmed"));
    await expect(tryOut("weather")).rejects.toEqual(failsWith("plugin.not-confirmed"));
    await expect(
      chat.request(confirmPlugin, { hubId: "weather", hash: "x", permissions: nothing }, scope),
    ).rejects.toEqual(failsWith("plugin.changed"));
    await expect(confirm("weather", { secrets: ["OTHER"] })).rejects.toEqual(
      failsWith("plugin.permission-unknown"),
    );
    expect(await confirm("weather", detail.proposed)).toMatchObject({
      review: "confirmed",
      confirmedBy: 1,
      granted: detail.proposed,
    });
    expect(await toggle("weather", true)).toMatchObject({ active: true, hubId: "weather" });
    expect(await tryOut("weather")).toMatchObject({
      text: null,
      fault: { code: "plugin.argument-missing" },
    });
    expect(
      (await chat.request(readPluginFile, { hubId: "weather", path: "handler.js" }, scope)).text,
    ).toContain("api.weather.example");
    await poll(() =>
      logged.filter(({ metadata }) => metadata.hubId === "weather").map(({ event }) => event),
    ).toEqual(["plugin_installed", "plugin_confirmed", "plugin_toggled"]);
  });

  it("need a confirmation again once their content is another", async () => {
    const files = pluginFiles({ hubId: "changing", code: 'return "one"' });
    await installFiles(chat, scope, files);
    await confirm("changing", { storage: true });
    await toggle("changing", true);
    await approve("changing");
    // The same content changes nothing.
    expect(await installFiles(chat, scope, files)).toMatchObject({ active: true });
    expect(await approved()).toEqual(["changing", "other"]);
    const other = pluginFiles({ hubId: "changing", code: 'return "two"' });
    expect(await installFiles(chat, scope, other)).toMatchObject({
      active: false,
      review: "changed",
    });
    expect(await approved()).toEqual(["other"]);
    expect(await get("changing")).toMatchObject({
      granted: null,
      previous: { storage: true },
      confirmedAt: null,
    });
    await expect(toggle("changing", true)).rejects.toEqual(failsWith("plugin.not-confirmed"));
  });

  it("have sealed arguments, whose secrets are never shown", async () => {
    const manifest = {
      setup_args: {
        API_KEY: argument({ value: "sk-first" }),
        UNIT: argument({ input: { type: "text", default: "metric" }, required: false }),
        constructor: argument({ required: false }),
      },
    };
    const code = "return JSON.stringify(this.runtimeArgs)";
    await installFiles(chat, scope, pluginFiles({ hubId: "args", code, manifest }));
    await confirm("args", { secrets: ["API_KEY", "UNIT"] });
    expect(await tryOut("args")).toMatchObject({ text: '{"API_KEY":"sk-first","UNIT":"metric"}' });
    await expect(setArgs("args", { API_KEY: "sk-second" }, unproven)).rejects.toEqual(
      failsWith("access.proof-due"),
    );
    const detail = await setArgs("args", { API_KEY: "sk-second", UNIT: "imperial" });
    expect(detail.arguments.map(({ value }) => value)).toEqual([secretMask, "imperial", ""]);
    const legacy = { hubId: "args", values: { API_KEY: secretMask, UNIT: "imperial" } };
    expect(await chat.request(configureLegacyPlugin, legacy, unproven)).toMatchObject({
      setup_args: { API_KEY: { value: secretMask }, UNIT: { value: "imperial" } },
    });
    const other = { hubId: "args", values: { API_KEY: "sk-third" } };
    await expect(chat.request(configureLegacyPlugin, other, unproven)).rejects.toEqual(
      failsWith("plugin.proof-due"),
    );
    // What is still masked keeps its value, and isn't a change that needs a proof.
    await setArgs("args", { API_KEY: secretMask, UNIT: "imperial" }, unproven);
    expect((await tryOut("args")).text).toBe('{"API_KEY":"sk-second","UNIT":"imperial"}');
    const stored = await rowOf("args");
    expect(stored).not.toMatch(/sk-first|sk-second|imperial/);
    expect(
      (await chat.request(readPluginFile, { hubId: "args", path: "plugin.json" }, scope)).text,
    ).not.toContain("sk-first");
    // Without the permission, it gets none.
    await confirm("args", { secrets: ["UNIT"] });
    expect((await tryOut("args")).text).toBe('{"UNIT":"imperial"}');
    await setArgs("args", { UNIT: "" });
    expect((await tryOut("args")).text).toBe('{"UNIT":"metric"}');
    expect(JSON.stringify(logged)).not.toContain("sk-");
  });

  it("keep at most 1 MB of values of their own", async () => {
    const code = `
      if (input.city === "read") return JSON.stringify(await this.storage.keys());
      await this.storage.set("big", "x".repeat(600000));
      try { await this.storage.set("more", "x".repeat(600000)); } catch (e) { this.logger(e.message); }
      return String((await this.storage.get("big")).length);`;
    await installFiles(chat, scope, pluginFiles({ hubId: "storing", code }));
    await installFiles(chat, scope, pluginFiles({ hubId: "storing-too", code }));
    await confirm("storing", { storage: true });
    await confirm("storing-too", { storage: true });
    const { text, log } = await tryOut("storing");
    expect(text).toBe("600000");
    expect(log).toMatchObject([{ kind: "log", text: "A plugin can keep at most 1 MB." }]);
    expect((await tryOut("storing", { city: "read" })).text).toBe('["big"]');
    expect((await tryOut("storing-too", { city: "read" })).text).toBe("[]");
  });

  it("are listed for existing clients as plugin.json", async () => {
    const { plugins } = await chat.request(listLegacyPlugins, {}, scope);
    expect(plugins.find(({ hubId }) => hubId === "weather")).toEqual({
      active: true,
      hubId: "weather",
      name: "The weather",
      schema: "skill-1.0.0",
      version: "1.0.0",
      description: "Describes weather.",
      author: "@someone",
      author_url: "https://author.example",
      license: "MIT",
      setup_args: {
        API_KEY: {
          type: "string",
          required: true,
          input: { type: "text", default: "", placeholder: "sk-…", hint: "From your account" },
          value: "",
        },
      },
      examples: [],
      entrypoint: {
        file: "handler.js",
        params: { city: { description: "Where", type: "string" } },
      },
      imported: true,
    });
  });

  it("are switched and left as they are by clients that send plugin.json back", async () => {
    const manifest = { setup_args: { UNIT: argument({ input: { type: "text", default: "km" } }) } };
    await installFiles(chat, scope, pluginFiles({ hubId: "old-way", manifest }));
    const update = (active: boolean, values = {}) =>
      chat.request(configureLegacyPlugin, { hubId: "old-way", values, active }, unproven);
    await expect(update(true)).rejects.toEqual(failsWith("plugin.not-confirmed"));
    await confirm("old-way", { secrets: ["UNIT"] });
    const { setup_args: args } = await update(true);
    // The default is sent back as the value, which isn't a change.
    expect(args.UNIT!.value).toBe("km");
    expect(await update(true, { UNIT: "km" })).toMatchObject({ active: true });
    await expect(update(false, { UNIT: "miles" })).rejects.toEqual(failsWith("plugin.proof-due"));
    expect(await get("old-way")).toMatchObject({ active: true, arguments: [{ value: "" }] });
    expect(await update(false)).toMatchObject({ active: false });
  });

  it("are deleted with what they kept, and don't exist afterwards", async () => {
    await approve("storing");
    expect(await chat.request(deletePlugin, { hubId: "storing" }, scope)).toBe(true);
    expect(await approved()).toEqual(["other"]);
    expect(await chat.request(deletePlugin, { hubId: "storing" }, scope)).toBe(true);
    expect(await source.query("SELECT 1 FROM chat.plugin_value WHERE hub_id = 'storing'")).toEqual(
      [],
    );
    for (const request of [
      () => get("storing"),
      () => toggle("storing", true),
      () => setArgs("storing", {}),
    ])
      await expect(request()).rejects.toEqual(failsWith("plugin.not-found"));
  });

  it.each([
    ["plugin.manifest-missing", { "plugin.json": undefined }],
    ["plugin.entry-missing", { "handler.js": undefined, "other.js": "" }],
    ["plugin.name-taken", pluginFiles({ hubId: "run-code" })],
    ["plugin.name-taken", pluginFiles({ hubId: "Weather" })],
    ["plugin.file-name-taken", { "Lib/a.js": "1", "lib/A.js": "2" }],
    ["plugin.too-large", { "big.js": "x".repeat(5_000_001) }],
  ] as const)("aren't installed if something is wrong: %s", async (code, change) => {
    const files = Object.entries({ ...pluginFiles({ hubId: "broken" }), ...change });
    const given = Object.fromEntries(files.filter(([, text]) => text !== undefined));
    await expect(installFiles(chat, scope, given as Record<string, string>)).rejects.toEqual(
      failsWith(code),
    );
  });
});

describe("folders of plugins", () => {
  const root = (): string => path.join(chat.home, "plugins", "agent-skills");
  const write = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root(), folder, name)), { recursive: true });
      await writeFile(path.join(root(), folder, name), text);
    }
  };
  const list = () => chat.request(listPlugins, {}, scope);
  const find = async (hubId: string) =>
    (await list()).plugins.find((plugin) => plugin.hubId === hubId);

  it("are adopted switched off, and again when their content changes", async () => {
    await write("adopted", pluginFiles({ hubId: "adopted" }));
    expect(await find("adopted")).toMatchObject({ source: "folder", active: false, review: "new" });
    await confirm("adopted");
    await toggle("adopted", true);
    expect(await find("adopted")).toMatchObject({ active: true });
    await write("adopted", { "handler.js": "module.exports.runtime = {};" });
    expect(await find("adopted")).toMatchObject({ active: false, review: "changed" });
  });

  it("go with the plugin, and come back with another content only", async () => {
    await chat.request(deletePlugin, { hubId: "adopted" }, scope);
    expect(await readdir(root())).toEqual([]);
    expect(await find("adopted")).toBeUndefined();
    await write("adopted", pluginFiles({ hubId: "adopted" }));
    expect(await list()).toMatchObject({
      problems: [{ folder: "adopted", fault: { code: "plugin.folder-known" } }],
    });
    await write("adopted", pluginFiles({ hubId: "adopted", code: 'return "another"' }));
    expect(await find("adopted")).toMatchObject({ review: "new" });
  });

  it("that make no plugin, or hold links, are told", async () => {
    await write("renamed", pluginFiles({ hubId: "another" }));
    await write("linking", pluginFiles({ hubId: "linking" }));
    await symlink("/etc/hostname", path.join(root(), "linking", "host.txt"));
    await symlink("/etc", path.join(root(), "linked"));
    await write("empty", { "readme.md": "" });
    const { plugins, problems } = await list();
    expect(Object.fromEntries(problems.map(({ folder, fault }) => [folder, fault.code]))).toEqual({
      renamed: "plugin.manifest-invalid",
      linking: "plugin.file-not-plain",
      empty: "plugin.manifest-missing",
    });
    expect(plugins.map(({ hubId }) => hubId)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/another|linking|linked|renamed|empty/)]),
    );
    await rm(root(), { recursive: true });
    expect((await list()).problems).toEqual([]);
  });
});
