import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  applyHubItem,
  checkHub,
  importHubItem,
  instancePrincipal,
  preparePublication,
  previewHubItem,
  publishHubItem,
  searchHub,
  updateHubSettings,
  type HubSource,
} from "@carrel/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { HubRecord, hubDoubles } from "../../test/hub-doubles.ts";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import type { FixtureTree } from "../repository/repository.fixture.ts";
import { GithubFixture } from "../source/github/github-server.fixture.ts";

const scope = { principal: instancePrincipal, workspace: null };
const record = new HubRecord();
const failsWith = (code: string) => expect.objectContaining({ code });
let instance: TestConnectors;
let place: string;
let folder: string;

const files: Record<string, string> = {
  "system-prompt/rhymes/item.json": JSON.stringify({
    name: "Rhymes",
    prompt: "Answer in rhymes.",
    verified: true,
  }),
  "agent-skill/weather/item.json": JSON.stringify({ name: "Weather", visibility: "private" }),
  "agent-skill/weather/plugin.json": JSON.stringify({ hubId: "x", entrypoint: {} }),
  "agent-skill/weather/lib/handler.js": "run()",
  "README.md": "# Our hub",
};

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), "carrel-hub-"));
  folder = path.join(place, "hub");
  instance = await startTestConnectors((_request, response) => response.writeHead(404).end(), {
    folders: [folder],
    doubles: hubDoubles(record),
  });
  record.blobs = instance.blobs;
});
afterAll(async () => {
  await instance.stop();
  await rm(place, { recursive: true, force: true });
});

const useHub = (source: HubSource, more: object = {}) =>
  instance.request(updateHubSettings, { source, downloads: "verified", ...more }, scope);
const check = (source: HubSource) => instance.request(checkHub, { source }, scope);
const apply = (importId: string) =>
  instance.request(applyHubItem, { importId, options: { workspaceSlug: "field-notes" } }, scope);
const install = () =>
  instance.request(importHubItem, { importId: "allm-community-id:agent-skill:weather" }, scope);
const look = (importId: string) => instance.request(previewHubItem, { importId }, scope);
const listIds = async (type: "system-prompt" | "slash-command") =>
  (await instance.request(searchHub, { type }, scope)).items.map(({ id }) => id);

beforeEach(async () => {
  await instance.sql("DELETE FROM connectors.hub_setting");
  record.reset();
});

describe("a folder as a hub", () => {
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  };
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true });
    for (const [name, content] of Object.entries(files)) await write(name, content);
    await useHub({ kind: "folder", path: folder });
  });

  it("has the items that lie in it", async () => {
    expect(await check({ kind: "folder", path: folder })).toMatchObject({ items: 2, faults: [] });
    expect(await apply("allm-community-id:system-prompt:rhymes")).toMatchObject({
      state: "updated",
    });
    expect(record.prompts.get("field-notes")).toBe("Answer in rhymes.");
    expect(await install()).toMatchObject({ target: "weather" });
    expect([...record.skills.get("weather")!.keys()].toSorted()).toEqual([
      "lib/handler.js",
      "plugin.json",
    ]);
    const { preview } = await look("allm-community-id:agent-skill:weather");
    expect(preview).toMatchObject({
      bundle: { files: [{ path: "lib/handler.js" }, { path: "plugin.json" }] },
    });
    await expect(apply("allm-community-id:system-prompt:none")).rejects.toEqual(
      failsWith("hub.item-missing"),
    );
  });

  it("says which of its items can't be used", async () => {
    await write("system-prompt/broken/item.json", "{");
    await write("system-prompt/empty/README.md", "");
    await write("system-prompt/bad id/item.json", files["system-prompt/rhymes/item.json"]!);
    await write("slash-command/large/item.json", " ".repeat(300_001));
    const { items, faults } = await check({ kind: "folder", path: folder });
    expect(items).toBe(2);
    expect(faults.map(({ item, fault }) => [item, fault.code]).toSorted()).toEqual([
      ["slash-command/large", "hub.bundle-too-large"],
      ["system-prompt/bad id", "hub.item-invalid"],
      ["system-prompt/broken", "hub.item-invalid"],
      ["system-prompt/empty", "hub.item-missing"],
    ]);
  });

  it("leads nowhere else", async () => {
    await writeFile(path.join(place, "secret.json"), files["system-prompt/rhymes/item.json"]!);
    await mkdir(path.join(folder, "system-prompt/link"));
    await symlink(
      path.join(place, "secret.json"),
      path.join(folder, "system-prompt/link/item.json"),
    );
    await symlink(
      path.join(folder, "system-prompt/rhymes"),
      path.join(folder, "system-prompt/linked"),
    );
    expect(await listIds("system-prompt")).toEqual(["rhymes"]);
    await expect(apply("allm-community-id:system-prompt:link")).rejects.toEqual(
      failsWith("source.symbolic-link"),
    );
    await symlink("/etc/passwd", path.join(folder, "agent-skill/weather/passwd"));
    await expect(install()).rejects.toEqual(failsWith("hub.bundle-file-refused"));
    expect(record.skills.size).toBe(0);
  });

  it("gets what is published, and never writes through a link", async () => {
    const item = { type: "slash-command", name: "Sum up", command: "/sum", prompt: "Sum it up" };
    const prepared = await instance.request(preparePublication, item, scope);
    expect(prepared).toMatchObject({
      target: "folder",
      path: "slash-command/sum-up/item.json",
      secrets: [],
    });
    expect(await listIds("slash-command")).toEqual([]);
    const publish = () => instance.request(publishHubItem, item, scope);
    const both = await Promise.all([publish(), publish()]);
    const ids = both.map((each) => each.item.id).toSorted();
    expect(ids).toEqual(["sum-up", "sum-up-2"]);
    const written = await readFile(path.join(folder, prepared.path), "utf8");
    expect(written).toBe(prepared.content);
    const modeOf = async (name: string) => (await stat(path.join(folder, name))).mode & 0o777;
    expect(await modeOf(prepared.path)).toBe(0o664);
    expect(await modeOf("slash-command/sum-up")).toBe(0o775);
    expect(await listIds("slash-command")).toEqual(ids);
    await rm(path.join(folder, "slash-command"), { recursive: true });
    const outside = path.join(place, "outside");
    await mkdir(outside, { recursive: true });
    await symlink(outside, path.join(folder, "slash-command"));
    await expect(publish()).rejects.toEqual(failsWith("source.symbolic-link"));
    expect(await readdir(outside)).toEqual([]);
    await rm(path.join(folder, "slash-command"));
    await writeFile(path.join(folder, "slash-command"), "");
    await expect(publish()).rejects.toEqual(failsWith("source.folder-missing"));
  });

  it("has an item updated by what it was published from, at the place that was shown", async () => {
    const item = { type: "slash-command", name: "Sum up", command: "/sum", prompt: "Sum it up" };
    const publish = async (more: object) => {
      const input = { ...item, ...more };
      const {
        itemId,
        path: file,
        replaces,
      } = await instance.request(preparePublication, input, scope);
      const reply = await instance.request(publishHubItem, { ...input, itemId }, scope);
      expect(reply.item.id).toBe(itemId);
      return { file, replaces, written: await readFile(path.join(folder, file), "utf8") };
    };
    const file = (id: string) => `slash-command/${id}/item.json`;
    expect(await publish({ source: "1" })).toMatchObject({ file: file("sum-up"), replaces: false });
    expect(await publish({ source: "2" })).toMatchObject({ file: file("sum-up-2") });
    const again = await publish({ source: "1", name: "Sum it up", prompt: "Sum up in verse" });
    expect(again).toMatchObject({ file: file("sum-up"), replaces: true });
    expect(again.written).toContain("Sum up in verse");
    expect(await listIds("slash-command")).toEqual(["sum-up", "sum-up-2"]);
    await expect(
      instance.request(publishHubItem, { ...item, source: "3", itemId: "sum-up" }, scope),
    ).rejects.toEqual(failsWith("hub.publish-taken"));
  });

  it("needs no key", async () => {
    await expect(
      useHub({ kind: "folder", path: folder }, { connectionKey: "a-key-for-nothing" }),
    ).rejects.toEqual(failsWith("hub.key-unused"));
  });
});

describe("a Git repository as a hub", () => {
  const server = new GithubFixture();
  let source: HubSource;
  const commit = (name: string, given: Record<string, string>): void => {
    const tree: FixtureTree = new Map(
      Object.entries(given).map(([file, content]) => [file, { content }]),
    );
    server.commits.set(name, tree);
    server.branches.set("main", name);
  };
  beforeAll(async () => {
    await server.start();
    source = { kind: "repository", platform: "github", repo: server.repo, branch: "" };
  });
  afterAll(() => server.stop());

  it("has the items of its latest commit", async () => {
    commit("a".repeat(40), files);
    await useHub(source);
    expect(await check(source)).toMatchObject({ items: 2, faults: [] });
    expect(await listIds("system-prompt")).toEqual(["rhymes"]);
    expect(await install()).toMatchObject({ target: "weather" });
    const archives = () => server.requests.filter((each) => each.includes("tarball")).length;
    expect(archives()).toBe(1);
    const changed = { name: "Rhymes", prompt: "Answer in prose." };
    commit("b".repeat(40), { "system-prompt/rhymes/item.json": JSON.stringify(changed) });
    await apply("allm-community-id:system-prompt:rhymes");
    expect(record.prompts.get("field-notes")).toBe("Answer in prose.");
    expect(archives()).toBe(2);
  });

  it("is read with its token only", async () => {
    server.token = "git-token-1234567890";
    server.isPrivate = true;
    commit("c".repeat(40), files);
    expect(await check(source)).toMatchObject({ success: false });
    await useHub(source, { connectionKey: server.token });
    expect(await check(source)).toMatchObject({ success: true, items: 2 });
    server.token = null;
    server.isPrivate = false;
  });

  it("is published to by a commit", async () => {
    commit("d".repeat(40), files);
    await useHub(source);
    const item = { type: "system-prompt", name: "Prose", prompt: "Answer in prose." };
    const prepared = await instance.request(preparePublication, item, scope);
    expect(prepared).toMatchObject({
      target: "repository",
      path: "system-prompt/prose/item.json",
    });
    await expect(instance.request(publishHubItem, item, scope)).rejects.toEqual(
      failsWith("hub.publish-by-commit"),
    );
  });
});
