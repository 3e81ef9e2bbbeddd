import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { AccessList } from "../../connector/connector.ts";
import {
  fixtureContext,
  listAll,
  openSource,
  refreshed,
  refuse,
  textOf,
} from "../../repository/repository.fixture.ts";
import { GiteaFixture } from "./gitea-server.fixture.ts";
import { connector } from "./gitea.connector.ts";

const running: GiteaFixture[] = [];
const api = "/api/v1/repos/octo/handbook";
let server: GiteaFixture;

beforeEach(async () => {
  server = new GiteaFixture();
  running.push(server);
  await server.start();
});
afterAll(() => Promise.all(running.map((each) => each.stop())));

const open = (settings: object = {}, token?: string) =>
  openSource(connector, { repo: server.repo, ...settings }, token);

describe("a repository on Gitea", () => {
  it("is listed beyond its first page, in a folder of its host, from any branch", async () => {
    server.base = "/git";
    const notes = Array.from({ length: 10_000 }, (_, n) => [`docs/${n}.md`, `Note ${n}`] as const);
    server.commit(Object.fromEntries(notes), "next");
    server.commit({ "a b.md": "main", sub: { content: "commit", mode: "160000" } });
    const source = await open({ branch: "next" });
    const { items } = await listAll(source);
    expect(items.map(({ title }) => title)).toEqual(notes.map(([path]) => path));
    const texts: string[] = [];
    for (const { item } of items.slice(0, 40))
      texts.push(await textOf(await source.fetch(item, null)));
    expect(texts).toEqual(notes.slice(0, 40).map(([, text]) => text));
    expect([server.count("/archive/"), server.count("/raw/")]).toEqual([1, 5]);
    const [usual] = (await listAll(await open())).items;
    expect(usual!.address).toBe(`${server.repo}/src/branch/main/a%20b.md`);
    expect(await textOf(await source.fetch(usual!.item, null))).toBe("main");
    const settings = connector.settings.parse({ repo: server.repo });
    expect(await connector.choices!("branch", settings, {}, fixtureContext())).toEqual([
      "main",
      "next",
    ]);
  });

  it("has issues and wiki pages as items of their own; a wiki may be missing", async () => {
    server.commit({ "a.md": "a" });
    server.issues = Array.from({ length: 120 }, (_, n) => ({
      number: n + 1,
      title: `Question ${n + 1}`,
      body: "Why?",
      state: "open",
      labels: [{ name: "ux" }],
      created_at: "2026-11-01T08:00:00Z",
      updated_at: "2026-11-02T08:00:00Z",
      comments: n === 0 ? 1 : 0,
      html_url: `https://git.example.com/octo/handbook/issues/${n + 1}`,
      user: { login: "mia" },
    }));
    const missing = await listAll(await open({ issues: true, wiki: true }));
    expect(missing.items).toHaveLength(121);
    // It may as well be one that the token can't read any more.
    expect(missing.leftOut).toEqual({ kind: "wiki" });
    server.wiki = new Map([["Set up", "# Guide"]]);
    const source = await open({ issues: true, wiki: true });
    const { items, leftOut } = await listAll(source);
    expect(leftOut).toBeUndefined();
    expect(await textOf(await source.fetch(items[1]!.item, null))).toContain(
      "## tom on 2026-11-03\n\nBecause.",
    );
    const page = await source.fetch(items[121]!.item, null);
    expect(page).toMatchObject({ metadata: { title: "Set up" } });
    expect(await textOf(page)).toBe("# Guide");
  });

  it("is empty only if it says so", async () => {
    const source = await open({ issues: true });
    expect((await listAll(source)).items).toEqual([]);
    server.commit({ "a.md": "a" });
    server.answers.set(`${api}/commits`, (_, response) => refuse(response, 404));
    await expect((await open({ issues: true })).list(null)).rejects.toMatchObject({
      code: "source.denied",
    });
  });

  it("may have its issues and wiki switched off, which isn't the same as refused", async () => {
    server.commit({ "a.md": "a" });
    server.answers.set(`${api}/issues`, (_, response) => refuse(response, 404));
    server.answers.set(`${api}/wiki/pages`, (_, response) => refuse(response, 403));
    await expect(listAll(await open({ issues: true, wiki: true }))).rejects.toMatchObject({
      code: "source.missing",
    });
    server.repository = { private: false, has_issues: false, has_wiki: false };
    const { items } = await listAll(await open({ issues: true, wiki: true }));
    expect(items.map(({ title }) => title)).toEqual(["a.md"]);
  });

  it("tells of single items what they are now", async () => {
    server.commit({ "docs/deep/a.md": "a", "docs/b.md": "b", "gone.md": "x" });
    const source = await open();
    const { items } = await listAll(source);
    server.commit({ "docs/deep/a.md": "New", "docs/b.md": "b" });
    const texts: string[] = [];
    for (const item of items) texts.push(await refreshed(source, item));
    expect(texts).toEqual(["New", "unchanged", "gone"]);
    expect(server.count("/raw/")).toBe(1);
  });

  it.each([
    ["a wrong token", "wrong", "source.denied"],
    ["no token", undefined, "source.repository-missing"],
  ])("says so with %s", async (_, token, code) => {
    server.token = "right";
    server.commit({ "a.md": "a" });
    await expect((await open({}, token)).check()).rejects.toMatchObject({ code });
    await (await open({}, "right")).check();
  });

  it("tells refusals, limits and missing branches apart", async () => {
    server.commit({ "a.md": "a" });
    await expect((await open({ branch: "gone" })).check()).rejects.toMatchObject({
      code: "source.branch-missing",
    });
    for (const [status, code] of [
      [429, "source.busy"],
      [403, "source.denied"],
      [500, "source.failing"],
    ] as const) {
      server.answers.set(api, (_request, response) => refuse(response, status));
      await expect((await open()).list(null)).rejects.toMatchObject({ code });
    }
  });
});

describe("who may read a repository", () => {
  const accessOf = async (): Promise<AccessList | undefined> => {
    const source = await open({}, "token");
    const [item] = (await listAll(source)).items;
    const fetched = await source.fetch(item!.item, null);
    return fetched.kind === "document" ? fetched.access : undefined;
  };

  beforeEach(() => {
    server.commit({ "a.md": "a" });
    server.collaborators = [{ login: "mia", email: "mia@example.com" }];
  });

  it("is everyone, the owner with collaborators, or the teams of the organisation", async () => {
    expect(await accessOf()).toBe("everyone");
    server.repository = { private: true };
    expect(await accessOf()).toEqual({ emails: ["mia@example.com"], accounts: ["mia", "octo"] });
    server.repository = { private: false, owner: { login: "octo", visibility: "limited" } };
    server.teams = [[{ login: "tom", email: "tom@example.com" }], [{ login: "mia" }]];
    expect(await accessOf()).toEqual({
      emails: ["mia@example.com", "tom@example.com"],
      accounts: ["mia", "tom"],
    });
  });

  it.each([403, 404])("is nobody but the importer if a list answers %d", async (status) => {
    server.repository = { private: true };
    server.answers.set(`${api}/collaborators`, (_request, response) => refuse(response, status));
    expect(await accessOf()).toEqual({ emails: [], accounts: [] });
    server.answers.delete(`${api}/collaborators`);
    server.teams = [[{ login: "tom" }]];
    const members = `${server.base}/api/v1/teams/0/members`;
    server.answers.set(members, (_request, response) => refuse(response, status));
    expect(await accessOf()).toEqual({ emails: [], accounts: [] });
  });
});
