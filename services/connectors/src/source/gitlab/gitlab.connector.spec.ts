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
import { GitlabFixture } from "./gitlab-server.fixture.ts";
import { connector } from "./gitlab.connector.ts";

const running: GitlabFixture[] = [];
const api = "/api/v4/projects/group%2Fsub%2Fhandbook";
let server: GitlabFixture;

beforeEach(async () => {
  server = new GitlabFixture();
  running.push(server);
  await server.start();
});
afterAll(() => Promise.all(running.map((each) => each.stop())));

const open = (settings: object = {}, token?: string) =>
  openSource(connector, { repo: server.repo, ...settings }, token);

const issue = (iid: number, more: object = {}) => ({
  iid,
  title: `Question ${iid}`,
  description: "Why?",
  state: "opened",
  labels: ["ux"],
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-02T08:00:00Z",
  user_notes_count: 0,
  confidential: false,
  web_url: `https://inside.example/-/issues/${iid}`,
  author: { username: "mia" },
  ...more,
});
const note = (body: string, more: object = {}) => ({
  body,
  system: false,
  internal: false,
  created_at: "2026-11-03T08:00:00Z",
  author: { username: "tom" },
  ...more,
});

describe("a project on GitLab", () => {
  it("is listed beyond its first page, in nested groups, from any branch", async () => {
    server.commit(
      Object.fromEntries(Array.from({ length: 350 }, (_, n) => [`docs/${n}.md`, `Note ${n}`])),
      "feature/next",
    );
    server.commit({
      "empty.md": "",
      sub: { content: "commit", mode: "160000" },
      link: { content: "a.md", mode: "120000" },
    });
    const source = await open({ branch: "feature/next" });
    const { items } = await listAll(source);
    expect(items).toHaveLength(350);
    const texts: string[] = [];
    for (const { item } of items.slice(300))
      texts.push(await textOf(await source.fetch(item, null)));
    expect(texts).toEqual(Array.from({ length: 50 }, (_, n) => `Note ${n + 300}`));
    expect([server.count("/archive.tar.gz"), server.count("/blobs/")]).toEqual([1, 5]);
    const usual = await listAll(await open());
    expect(usual.items.map(({ skip }) => skip?.code)).toEqual([
      undefined,
      "source.submodule",
      "source.symbolic-link",
    ]);
    expect(await textOf(await source.fetch(usual.items[0]!.item, null))).toBe("");
    const branches = await connector.choices!(
      "branch",
      connector.settings.parse({ repo: server.repo }),
      {},
      fixtureContext(),
    );
    expect(branches).toEqual(["main", "feature/next"]);
  });

  it("is listed whole, however many files it has", async () => {
    server.commit(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`docs/${n}.md`, `${n}`])),
    );
    const ids = (await listAll(await open())).items.map(({ externalId }) => externalId);
    expect([ids.length, new Set(ids).size]).toEqual([10_000, 10_000]);
  });

  it("has issues and wiki pages as items of their own, which are read as such again", async () => {
    server.commit({ "a.md": "a" });
    server.issues = [issue(1, { user_notes_count: 3 }), issue(2), issue(3, { state: "closed" })];
    server.notes = [
      note("Because."),
      note("changed the title", { system: true }),
      note("secret", { internal: true }),
    ];
    server.wiki = new Map([
      ["guides/Set up", "= Guide"],
      ["home", "= Home"],
    ]);
    const source = await open({ issues: true, wiki: true });
    const { items, mark } = await listAll(source);
    expect(items.map(({ externalId }) => externalId)).toEqual([
      "file:a.md",
      "issue:1",
      "issue:2",
      "issue:3",
      "wiki:guides/Set up",
      "wiki:home",
    ]);
    expect(mark).toBe(server.branches.get("main"));
    // Stored and read again, with the version it had.
    const again = items.map(({ item, version }) => ({
      item: connector.item.parse(JSON.parse(JSON.stringify(item))),
      version: version ?? null,
    }));
    const read = await open();
    const documents = [];
    for (const { item, version } of again) documents.push(await read.fetch(item, version));
    expect(documents[1]).toMatchObject({
      metadata: { title: "Issue 1: Question 1" },
      source: { connector: "gitlab", reference: "https://inside.example/-/issues/1" },
    });
    const text = await textOf(documents[1]!);
    expect(text).toContain("opened by mia on 2026-11-01. Labels: ux.");
    expect(text).toContain("## tom on 2026-11-03\n\nBecause.");
    expect(text).not.toMatch(/secret|changed the title/);
    expect(documents[4]).toMatchObject({
      filename: "Set up.adoc",
      source: { reference: `${server.repo}/-/wikis/guides/Set%20up` },
    });
    expect(await textOf(documents[4]!)).toBe("= Guide");
  });

  it("is empty only if it says so", async () => {
    const source = await open({ issues: true });
    expect((await listAll(source)).items).toEqual([]);
    server.commit({ "a.md": "a" });
    server.project = { visibility: "public", default_branch: null };
    await expect((await open({ issues: true })).list(null)).rejects.toMatchObject({
      code: "source.denied",
    });
  });

  it("may have its issues and wiki switched off, which isn't the same as refused", async () => {
    server.commit({ "a.md": "a" });
    for (const part of ["issues", "wikis"])
      server.answers.set(`${api}/${part}`, (_, response) => refuse(response, 403));
    await expect(listAll(await open({ issues: true, wiki: true }))).rejects.toMatchObject({
      code: "source.denied",
    });
    server.project = {
      visibility: "public",
      issues_access_level: "disabled",
      wiki_access_level: "disabled",
    };
    const { items } = await listAll(await open({ issues: true, wiki: true }));
    expect(items.map(({ title }) => title)).toEqual(["a.md"]);
  });

  it("tells of single items what they are now", async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [`docs/${n}.md`, `Note ${n}`]),
    );
    server.commit({ ...notes, "a.md": "a", "x/gone.md": "x" });
    server.issues = [issue(1)];
    server.wiki = new Map([["home", "= Home"]]);
    const source = await open({ issues: true, wiki: true });
    const { items } = await listAll(source);
    const now = (id: string): Promise<string> => {
      const item = items.find(({ externalId }) => externalId === id)!;
      return refreshed(source, item).catch((error: { code: string }) => error.code);
    };
    server.commit({ ...notes, "docs/240.md": "New", "a.md": "a" });
    server.issues = [issue(1, { description: "How?", updated_at: "2026-11-04T08:00:00Z" })];
    server.wiki.set("home", "= New home");
    expect(await now("file:docs/240.md")).toBe("New");
    expect(await now("file:a.md")).toBe("unchanged");
    expect(await now("file:x/gone.md")).toBe("source.missing");
    expect(await now("issue:1")).toContain("How?");
    expect(await now("wiki:home")).toBe("= New home");
    expect(server.count("/blobs/")).toBe(1);
    server.wiki.clear();
    expect(await now("wiki:home")).toBe("source.missing");
  });

  it("is found in a folder of its host", async () => {
    server.base = "/tools/gitlab";
    server.commit({ "a.md": "a" });
    const source = await open();
    const [item] = (await listAll(source)).items;
    expect(await textOf(await source.fetch(item!.item, null))).toBe("a");
    expect(item!.address).toBe(`${server.repo}/-/blob/main/a.md`);
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

  it("waits as long as GitLab asks to, and tells an outage apart", async () => {
    const reset = String(Math.floor(Date.now() / 1_000) + 30);
    server.answers.set(api, (_request, response) =>
      refuse(response, 429, { "ratelimit-remaining": "0", "ratelimit-reset": reset }),
    );
    const fault = await (await open()).list(null).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "source.busy" });
    expect((fault as { retryAfter: number }).retryAfter).toBeGreaterThan(20);
    server.answers.set(api, (_request, response) => refuse(response, 500));
    await expect((await open()).list(null)).rejects.toMatchObject({ code: "source.failing" });
    server.answers.set(api, (request) => void request.socket.destroy());
    await expect((await open()).list(null)).rejects.toMatchObject({
      fault: { code: "egress.unreachable" },
    });
  });
});

describe("who may read a project", () => {
  const member = (id: number, level: number, more: object = {}) => ({
    id,
    username: `user${id}`,
    state: "active",
    access_level: level,
    ...more,
  });
  const accessOf = async (kind: string): Promise<AccessList | undefined> => {
    const source = await open({ issues: true, wiki: true }, "token");
    const { items } = await listAll(source);
    const { item } = items.find(({ externalId }) => externalId.startsWith(kind))!;
    const fetched = await source.fetch(item, null);
    return fetched.kind === "document" ? fetched.access : undefined;
  };

  beforeEach(() => {
    server.commit({ "a.md": "a" });
    server.issues = [issue(1), issue(2, { confidential: true })];
    server.wiki = new Map([["home", "Home"]]);
    server.members = [
      member(1, 50, { email: "owner@example.com" }),
      member(2, 20),
      member(3, 10),
      member(4, 40, { state: "blocked" }),
    ];
    server.publicEmails.set(2, "reporter@example.com");
  });

  it("is everyone for a public one, except confidential issues", async () => {
    expect(await accessOf("file:")).toBe("everyone");
    expect(await accessOf("issue:1")).toBe("everyone");
    expect(await accessOf("issue:2")).toEqual({
      emails: ["owner@example.com", "reporter@example.com"],
      accounts: ["user1", "user2"],
    });
    server.project = { visibility: "public", wiki_access_level: "private" };
    expect(await accessOf("wiki:")).toMatchObject({ accounts: ["user1", "user2", "user3"] });
  });

  it("is the members by their roles for a private one", async () => {
    server.project = { visibility: "internal" };
    expect(await accessOf("file:")).toMatchObject({ accounts: ["user1", "user2"] });
    expect(await accessOf("issue:1")).toMatchObject({ accounts: ["user1", "user2", "user3"] });
  });

  it.each([403, 404])("is nobody but the importer if the list answers %p", async (status) => {
    server.project = { visibility: "private" };
    server.answers.set(`${api}/members/all`, (_request, response) => refuse(response, status));
    expect(await accessOf("file:")).toEqual({ emails: [], accounts: [] });
  });
});
