import {
  applyHubItem,
  checkHub,
  exploreHub,
  getHubItem,
  getHubSettings,
  importHubItem,
  instancePrincipal,
  listOwnHubItems,
  previewHubItem,
  publishHubItem,
  searchHub,
  type Scope,
} from "@carrel/contracts";
import { FakeHub, poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  command,
  flow,
  idOf,
  prompt,
  publication,
  scope,
  skill,
  startHub,
  type HubFixture,
} from "./hub.fixture.ts";

const failsWith = (code: string) => expect.objectContaining({ code });
let fixture: HubFixture;
beforeAll(async () => {
  fixture = await startHub();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.reset());

/** A session that proved long ago who uses it. */
const unproven: Scope = {
  principal: { ...instancePrincipal, sessionId: "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01" },
  workspace: null,
};
describe("the settings of the hub", () => {
  it("say that it is off at first", async () => {
    expect(await fixture.instance.request(getHubSettings, {}, scope)).toEqual({
      source: { kind: "off" },
      downloads: "off",
      connectionKey: null,
      folders: [fixture.folder],
    });
    for (const request of [
      () => fixture.instance.request(exploreHub, {}, scope),
      () => fixture.instance.request(searchHub, { type: "agent-flow" }, scope),
      () => fixture.instance.request(listOwnHubItems, {}, scope),
      () => fixture.instance.request(getHubItem, { importId: idOf(prompt) }, scope),
      () => fixture.instance.request(publishHubItem, publication, scope),
    ])
      await expect(request()).rejects.toEqual(failsWith("hub.off"));
    expect(fixture.hub.requests).toEqual([]);
  });

  it("keep the key sealed, show its end, and ignore a mask", async () => {
    await fixture.useServer();
    const { connectionKey } = await fixture.save({ connectionKey: fixture.hub.key });
    expect(connectionKey).toBe(`********${fixture.hub.key.slice(-4)}`);
    const events = () => fixture.logged.map(({ event, metadata }) => [event, metadata.keyChanged]);
    await poll(events).toEqual([
      ["community_hub_settings_updated", false],
      ["community_hub_settings_updated", true],
    ]);
    expect(await fixture.save({ connectionKey: connectionKey! }, unproven)).toMatchObject({
      connectionKey,
    });
    const [row] = await fixture.instance.sql<{ text: string }>(
      "SELECT to_jsonb(s)::text AS text FROM connectors.hub_setting s",
    );
    expect(row!.text).not.toContain(fixture.hub.key);
    expect(JSON.stringify(fixture.logged)).not.toContain(fixture.hub.key);
    fixture.hub.items.push({ ...prompt, visibility: "private" });
    await fixture.instance.request(getHubItem, { importId: idOf(prompt) }, scope);
    expect(fixture.hub.requests.at(-1)).toMatchObject({
      authorization: `Bearer ${fixture.hub.key}`,
    });
    expect(await fixture.save({ connectionKey: "" }, unproven)).toMatchObject({
      connectionKey: null,
    });
    await poll(() => fixture.logged.length).toBe(3);
  });

  it("keep a key that can't be read until another is entered", async () => {
    await fixture.useServer();
    await fixture.save({ connectionKey: fixture.hub.key });
    const { sql } = fixture.instance;
    await sql("UPDATE connectors.hub_setting SET sealed_key = left(sealed_key, -8) || 'AAAAAAAA'");
    const sealed = () => sql("SELECT sealed_key FROM connectors.hub_setting");
    const before = await sealed();
    expect(await fixture.save({ downloads: "all" })).toMatchObject({ downloads: "all" });
    await fixture.save({ connectionKey: "********abcd" });
    expect(await sealed()).toEqual(before);
    await expect(fixture.instance.request(exploreHub, {}, scope)).rejects.toEqual(
      failsWith("hub.key-unreadable"),
    );
    await fixture.save({ connectionKey: fixture.hub.key });
    await fixture.instance.request(exploreHub, {}, scope);
  });

  it("send a key to the server that it is for, and to no other", async () => {
    await fixture.useServer();
    await fixture.save({ connectionKey: fixture.hub.key });
    const other = await new FakeHub().start();
    const source = { kind: "server", address: other.address } as const;
    expect(await fixture.save({ source })).toMatchObject({ connectionKey: null });
    await fixture.instance.request(exploreHub, {}, scope);
    expect(await fixture.instance.request(checkHub, { source }, scope)).toMatchObject({
      success: true,
    });
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([null, null]);
    await other.stop();
    expect(await fixture.useServer()).toMatchObject({
      connectionKey: `********${fixture.hub.key.slice(-4)}`,
    });
    // A redirect is another server, too.
    const elsewhere = await new FakeHub().start();
    elsewhere.items.push(prompt);
    fixture.hub.answers.set("/v1/explore", (_request, response) =>
      response.writeHead(307, { location: `${elsewhere.address}/explore` }).end(),
    );
    await fixture.instance.request(exploreHub, {}, scope);
    expect(elsewhere.requests.map(({ authorization }) => authorization)).toEqual([null]);
    await elsewhere.stop();
  });

  it("need a recent sign-in for another source, a new key and more downloads", async () => {
    const source = { kind: "server", address: fixture.hub.address } as const;
    for (const input of [{ source }, { connectionKey: "new" }, { downloads: "all" as const }])
      await expect(fixture.save(input, unproven)).rejects.toEqual(failsWith("access.proof-due"));
    await fixture.save({ source, connectionKey: "new", downloads: "all" });
    await fixture.save({ downloads: "verified" }, unproven);
    await fixture.save({ source: { kind: "off" } }, unproven);
  });

  it.each([
    ["no address", { kind: "server", address: "hub.example.com" }, "hub.address-invalid"],
    ["clear text", { kind: "server", address: "http://hub.example.com" }, "hub.address-invalid"],
    ["a query", { kind: "server", address: "https://hub.example.com/?a=b" }, "hub.address-invalid"],
    [
      "a sign-in",
      { kind: "server", address: "https://a:b@hub.example.com" },
      "hub.address-invalid",
    ],
    ["another protocol", { kind: "server", address: "file:///etc" }, "hub.address-invalid"],
    ["another folder", { kind: "folder", path: "/etc" }, "source.folder-not-allowed"],
    [
      "no repository",
      { kind: "repository", platform: "github", repo: "https://github.com/" },
      "hub.repository-invalid",
    ],
    [
      "a repository in clear text",
      { kind: "repository", platform: "gitea", repo: "http://git.example.com/a/b" },
      "hub.repository-invalid",
    ],
  ] as const)("refuse %s", async (_what, source, code) => {
    await expect(fixture.save({ source })).rejects.toEqual(failsWith(code));
    const checked = await fixture.instance.request(checkHub, { source }, scope);
    expect(checked).toMatchObject({ success: false, fault: { code } });
  });
});

describe("the items of a hub", () => {
  beforeEach(async () => {
    await fixture.useServer();
  });

  it("are listed, searched and read as existing clients expect", async () => {
    fixture.hub.items.push(prompt, command, flow, skill, {
      ...prompt,
      id: "p2",
      visibility: "private",
    });
    const lists = await fixture.instance.request(exploreHub, {}, scope);
    expect(lists.systemPrompts).toEqual({
      hasMore: false,
      totalCount: 1,
      items: [{ ...prompt, importId: "allm-community-id:system-prompt:p1" }],
    });
    expect(lists.agentFlows.items[0]).toMatchObject({ id: "f1" });
    expect((JSON.parse(lists.agentFlows.items[0]!.flow!) as { steps: [] }).steps).toHaveLength(3);
    expect(lists.agentSkills.items[0]).toMatchObject({ verified: true, manifest: { files: [] } });
    const search = async (text: string) =>
      (await fixture.instance.request(searchHub, { type: "slash-command", search: text }, scope))
        .total;
    expect([await search("SUM weather"), await search("nature anna"), await search("sea")]).toEqual(
      [1, 1, 0],
    );
    // Searching asks the hub once.
    expect(fixture.hub.requests).toHaveLength(1);
    await fixture.save({ connectionKey: fixture.hub.key });
    const own = await fixture.instance.request(listOwnHubItems, {}, scope);
    expect(own.teamItems).toMatchObject([
      { teamName: "Harbour House", items: { systemPrompts: { items: [{ id: "p2" }] } } },
    ]);
  });

  it.each([
    [undefined, "Import ID is required"],
    ["", "Import ID is required"],
    ["abc", "Invalid import ID"],
    ["allm-community-id:system-prompt", "Invalid import ID"],
    ["allm-community-id:workspace:1", "Invalid import ID"],
    ["other:system-prompt:1", "Invalid import ID"],
    ["allm-community-id:system-prompt:../explore", "Invalid import ID"],
  ])("aren't found by %j", async (importId, message) => {
    for (const operation of [getHubItem, applyHubItem, importHubItem, previewHubItem])
      await expect(
        fixture.instance.request(operation, { importId } as never, scope),
      ).rejects.toMatchObject({ message });
    expect(fixture.hub.requests).toEqual([]);
  });

  it("that are malformed are left out, or refused by name", async () => {
    fixture.hub.items.push(
      prompt,
      { ...prompt, id: "bad/../id" },
      { ...prompt, id: "empty", prompt: " " },
      { ...prompt, id: "long", prompt: "x".repeat(100_001) },
      { ...command, id: "odd", command: "" },
      { ...flow, id: "broken", flow: "{" },
      { ...flow, id: "stepless", flow: { steps: "none" } },
      { ...flow, id: "deep", flow: `{"steps":[${"[".repeat(50_000)}${"]".repeat(50_000)}]}` },
      { ...prompt, id: { toString: 1 } as never },
    );
    const lists = await fixture.instance.request(exploreHub, {}, scope);
    expect(lists.systemPrompts.items.map(({ id }) => id)).toEqual(["p1"]);
    expect(lists.slashCommands.items).toEqual([]);
    expect(lists.agentFlows.items).toEqual([]);
    const source = { kind: "server", address: fixture.hub.address } as const;
    const checked = await fixture.instance.request(checkHub, { source }, scope);
    expect(checked).toMatchObject({ success: true, items: 1 });
    expect(checked.faults.map(({ item }) => item)).toEqual(
      expect.arrayContaining(["agent-flow/broken", "agent-flow/deep", "system-prompt/?"]),
    );
    // Another item than the one that was asked for.
    fixture.hub.answers.set("/v1/system-prompt/p1/pull", (_request, response) =>
      response.end(JSON.stringify({ item: { ...prompt, id: "p3" } })),
    );
    await expect(
      fixture.instance.request(getHubItem, { importId: idOf(prompt) }, scope),
    ).rejects.toMatchObject({ code: "hub.item-invalid", params: { field: "id" } });
  });

  it.each<[string, (end: (status: number, body: string) => void) => void, string]>([
    ["no JSON", (end) => end(200, "<html>"), "egress.unexpected-response"],
    ["a number", (end) => end(200, "7"), "egress.unexpected-response"],
    ["nothing", (end) => end(200, ""), "egress.unexpected-response"],
    [
      "what nobody can read",
      (end) => end(200, `{"item":${"[".repeat(9_000)}${"]".repeat(9_000)}}`),
      "egress.unexpected-response",
    ],
    ["a refusal", (end) => end(403, '{"error":"Pay first"}'), "hub.said"],
    ["a bare refusal", (end) => end(403, "no"), "source.denied"],
    ["too many requests", (end) => end(429, "{}"), "source.busy"],
    ["a fault of its own", (end) => end(500, '{"error":"x"}'), "source.failing"],
    ["nothing of the kind", (end) => end(404, "{}"), "hub.item-missing"],
    ["too much", (end) => end(200, " ".repeat(4_000_001)), "egress.page-too-large"],
  ])("of a hub that answers %s are an error that says so", async (what, answer, code) => {
    // With other settings, nothing is kept from before.
    await fixture.save({ connectionKey: `key-for-${what}` });
    for (const place of ["/v1/explore", "/v1/system-prompt/p1/pull"])
      fixture.hub.answers.set(place, (_request, response) =>
        answer((status, body) => response.writeHead(status).end(body)),
      );
    // The second waits for the first's list.
    const search = () => fixture.instance.request(searchHub, { type: "agent-flow" }, scope);
    const failed = expect.objectContaining({ status: "rejected", reason: failsWith(code) });
    expect(await Promise.allSettled([search(), search()])).toEqual([failed, failed]);
    await expect(fixture.instance.request(exploreHub, {}, scope)).rejects.toEqual(failsWith(code));
    await expect(
      fixture.instance.request(getHubItem, { importId: idOf(prompt) }, scope),
    ).rejects.toEqual(failsWith(code));
  });

  it("are none where a hub sends something else than a list", async () => {
    fixture.hub.answers.set("/v1/explore", (_request, response) =>
      response.end('{"systemPrompts":"x","slashCommands":null,"agentFlows":[1],"agentSkills":{}}'),
    );
    const lists = await fixture.instance.request(exploreHub, {}, scope);
    const none = { items: [], hasMore: false, totalCount: 0 };
    expect(Object.values(lists)).toEqual([none, none, none, none]);
  });

  it("aren't read from private addresses that a hub redirects to", async () => {
    fixture.hub.answers.set("/v1/explore", (_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
    );
    await expect(fixture.instance.request(exploreHub, {}, scope)).rejects.toEqual(
      failsWith("egress.not-public"),
    );
  });
});
