import type { ServerResponse } from "node:http";
import { CarrelError } from "@carrel/contracts";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { MarkLostError } from "../../connector/connector.ts";
import {
  fixtureContext,
  listAll,
  openSource,
  refuse,
  textOf,
} from "../../repository/repository.fixture.ts";
import { GithubFixture } from "./github-server.fixture.ts";
import { connector } from "./github.connector.ts";

const running: GithubFixture[] = [];
const api = "/api/v3/repos/octo/handbook";
let server: GithubFixture;

beforeEach(async () => {
  server = new GithubFixture();
  running.push(server);
  await server.start();
});
afterAll(() => Promise.all(running.map((each) => each.stop())));

const open = (settings: object = {}, token?: string) =>
  openSource(connector, { repo: server.repo, ...settings }, token);

const files = {
  "README.md": "# Handbook",
  "src/deep/er/main.ts": "export const answer = 42;",
  "docs/Über uns.md": "Wir",
  "vendor/lib.js": "left out",
  "vendor/keep.js": "kept",
  "logo.png": Buffer.from([0x89, 0x50]),
  "data.unknown": { content: Buffer.from([1, 0, 2, 0]) },
  "utf16.txt": { content: Buffer.from("\uFEFFwide", "utf16le") },
  "large.txt": "x".repeat(1_000_001),
  "empty.txt": "",
  "model.weights": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
  link: { content: "../../etc/passwd", mode: "120000" },
  sub: { content: "commit", mode: "160000" },
} as const;

describe("a repository on GitHub", () => {
  it("is loaded whole without a token, and what isn't wanted says why", async () => {
    server.commit(fixture(files));
    const source = await open({ ignore: "vendor/*\n!keep.js\n", maxMegabytes: 1 });
    const { items, mark } = await listAll(source);
    const outcomes = new Map<string, string>();
    for (const { title, skip, item } of items)
      outcomes.set(title, skip?.code ?? (await textOf(await source.fetch(item, null))));
    expect(Object.fromEntries(outcomes)).toEqual({
      "README.md": "# Handbook",
      "src/deep/er/main.ts": "export const answer = 42;",
      "docs/Über uns.md": "Wir",
      "vendor/keep.js": "kept",
      "logo.png": "source.binary",
      "data.unknown": "source.binary",
      "utf16.txt": files["utf16.txt"].content.toString("utf8"),
      "large.txt": "source.file-too-large",
      "empty.txt": "source.item-empty",
      "model.weights": "source.lfs-pointer",
      link: "source.symbolic-link",
      sub: "source.submodule",
    });
    expect(mark).toBe(server.branches.get("main"));
    expect(items.find(({ title }) => title.startsWith("docs/"))!.address).toBe(
      `${server.repo}/blob/main/docs/%C3%9Cber%20uns.md`,
    );
  });

  it("comes as one archive if many files are due, and survives what is missing in it", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`notes/${n}.md`, `Note ${n}`]),
    );
    const commit = server.commit(many);
    const { items } = await listAll(await open());
    const texts: string[] = [];
    for (const part of [items.slice(0, 30), items.slice(30)]) {
      // Another turn of the run.
      const source = await open();
      for (const { item } of part) texts.push(await textOf(await source.fetch(item, null)));
    }
    expect(texts).toEqual(Object.values(many));
    expect(server.count("/tarball/")).toBe(1);
    expect(server.count("/git/blobs/")).toBe(5);
    // Left out of archives by an attribute.
    server.commits.get(commit)!.set("late.md", { content: "Late" });
    const [late] = (await listAll(await open())).items.slice(-1);
    expect(await textOf(await (await open()).fetch(late!.item, null))).toBe("Late");
  });

  it.each([
    ["damaged", (response: ServerResponse) => response.end("not gzip"), 1],
    ["refused", (response: ServerResponse) => refuse(response, 404), 1],
    ["failing", (response: ServerResponse) => refuse(response, 502), 2],
  ])("is fetched file by file if the archive is %s", async (_, answer, downloads) => {
    const commit = server.commit(
      Object.fromEntries(Array.from({ length: 12 }, (__, n) => [`${n}.md`, `Note ${n}`])),
    );
    server.answers.set(`${api}/tarball/${commit}`, (_request, response) => void answer(response));
    const source = await open();
    const texts: string[] = [];
    for (const { item } of (await listAll(source)).items) {
      // As a run does after a failure that may pass.
      const fetched = await source.fetch(item, null).catch(() => source.fetch(item, null));
      texts.push(await textOf(fetched));
    }
    expect(texts).toEqual(Array.from({ length: 12 }, (__, n) => `Note ${n}`));
    expect(server.count("/tarball/")).toBe(downloads);
  });

  it("lists 10,000 files quickly, and folder by folder what GitHub cuts", async () => {
    server.commit(
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, n) => [`${n % 10}/${n % 7}/${n}.md`, `${n}`]),
      ),
    );
    const whole = await listAll(await open());
    expect([new Set(whole.items.map(({ externalId }) => externalId)).size, whole.pages]).toEqual([
      10_000, 1,
    ]);
    server.largestTree = 2_000;
    const parts = await listAll(await open());
    expect(new Set(parts.items.map(({ externalId }) => externalId))).toEqual(
      new Set(whole.items.map(({ externalId }) => externalId)),
    );
    expect(parts.pages).toBe(11);
  });

  it("has issues with all comments as documents, without pull requests", async () => {
    server.commit({ "a.md": "a" });
    server.issues = Array.from({ length: 250 }, (_, n) => ({
      number: n + 1,
      title: `Question ${n + 1}`,
      body: n === 1 ? "x".repeat(30_000) : "Why?",
      updated_at: "2026-11-03T08:00:00Z",
      comments: n === 0 ? Array.from({ length: 130 }, (__, c) => `Because ${c}`) : [],
      isPullRequest: n === 7,
    }));
    server.answers.set(`${api}/issues/2`, (_request, response) => {
      const issue = { ...server.issues[1], html_url: "", state: "open", labels: [], comments: 0 };
      response.end(JSON.stringify({ ...issue, created_at: "" }));
    });
    const source = await open({ issues: true });
    const { items } = await listAll(source);
    const issues = items.filter(({ externalId }) => externalId.startsWith("issue:"));
    expect(issues).toHaveLength(249);
    const first = await source.fetch(issues[0]!.item, null);
    expect(first).toMatchObject({
      filename: "issue-1.md",
      source: { connector: "github", reference: "https://github.example/octo/handbook/issues/1" },
      metadata: { title: "Issue 1: Question 1", url: "github://Issue 1: Question 1" },
    });
    const text = await textOf(first);
    expect(text).toContain("# Question 1\n\nIssue 1, open, opened by octocat on 2026-11-01.");
    expect(text).toContain("## hubot on 2026-11-02\n\nBecause 129");
    expect((await textOf(await source.fetch(issues[1]!.item, null))).length).toBeGreaterThan(
      30_000,
    );
    expect(server.count("/comments")).toBe(2);
  });

  it("offers its branches, the default first, and takes another or a tag", async () => {
    for (let n = 0; n < 120; n += 1) server.commit({ "a.md": `${n}` }, `feature/${n}`);
    server.commit({ "a.md": "main" });
    const settings = connector.settings.parse({ repo: server.repo });
    const branches = await connector.choices!("branch", settings, {}, fixtureContext());
    expect([branches.length, branches[0]]).toEqual([121, "main"]);
    const source = await open({ branch: "feature/7" });
    const [item] = (await listAll(source)).items;
    expect(await textOf(await source.fetch(item!.item, null))).toBe("7");
  });
});

describe("changes of a repository on GitHub", () => {
  const changesSince = async (mark: string, settings: object = {}) => {
    const source = await open({ ignore: "*.lock", ...settings });
    const { items, next, mark: newMark } = await source.changes!(mark, null);
    expect(next).toBeNull();
    return {
      items: Object.fromEntries(
        items.map(({ title, isGone, skip }) => [title, isGone ? "gone" : (skip?.code ?? "due")]),
      ),
      mark: newMark,
    };
  };

  it("are what was added, changed, moved and deleted, whatever its number", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`notes/${n}.md`, `Note ${n}`]),
    );
    const first = server.commit({
      ...many,
      "a.md": "a",
      "old.md": "moved",
      "gone.md": "x",
      l: "l",
    });
    const next = server.commit({
      ...Object.fromEntries(Object.keys(many).map((path) => [path, "changed"])),
      "a.md": "a",
      "new.md": "moved",
      "left.lock": "out",
      l: { content: "a.md", mode: "120000" },
    });
    const { items, mark } = await changesSince(first);
    expect(mark).toBe(next);
    const { l, "old.md": old, "new.md": moved, "gone.md": gone, ...notes } = items;
    expect([l, old, moved, gone]).toEqual(["source.symbolic-link", "gone", "due", "gone"]);
    expect(Object.keys(notes)).toHaveLength(400);
    expect(await changesSince(next)).toEqual({ items: {}, mark: next });
  });

  it("can't be told once history was rewritten, nor with issues", async () => {
    const first = server.commit({ "a.md": "a" });
    server.commit({ "a.md": "b" });
    server.commits.delete(first);
    await expect(changesSince(first)).rejects.toBeInstanceOf(MarkLostError);
    expect((await open({ issues: true })).changes).toBeUndefined();
  });
});

describe("who may read a repository on GitHub", () => {
  const accessOf = async () => {
    const source = await open({}, "token");
    const [item] = (await listAll(source)).items;
    const fetched = await source.fetch(item!.item, null);
    return fetched.kind === "document" ? fetched.access : undefined;
  };

  it("is everyone, its collaborators, or nobody but the importer", async () => {
    server.commit({ "a.md": "a" });
    expect(await accessOf()).toBe("everyone");
    server.isPrivate = true;
    server.people = Array.from({ length: 150 }, (_, n) => ({
      login: `person${n}`,
      email: n < 2 ? `person${n}@example.com` : null,
    }));
    const list = await accessOf();
    expect(list).toMatchObject({ emails: ["person0@example.com", "person1@example.com"] });
    expect((list as { accounts: string[] }).accounts).toHaveLength(150);
    // Within the hour, nobody is asked about again.
    await accessOf();
    expect(server.count("/users/")).toBe(150);
    for (const status of [403, 404]) {
      server.answers.set(`${api}/collaborators`, (_request, response) => refuse(response, status));
      expect(await accessOf()).toEqual({ emails: [], accounts: [] });
    }
  });
});

/** Buffers are the content of plain files. */
const fixture = (all: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(all).map(([path, file]) => [
      path,
      Buffer.isBuffer(file) ? { content: file } : (file as string),
    ]),
  );

const faultOf = async (work: Promise<unknown>): Promise<CarrelError> => {
  const error = await work.then(
    () => null,
    (fault: unknown) => fault,
  );
  if (error instanceof CarrelError) return error;
  throw new Error("no fault", { cause: error });
};

describe("a repository on GitHub that can't be read", () => {
  it.each([
    ["a wrong token", "wrong", "source.denied"],
    ["no token", undefined, "source.repository-missing"],
  ])("says so with %s", async (_, token, code) => {
    server.commit({ "a.md": "a" });
    server.token = "right";
    expect((await faultOf((await open({}, token)).check())).code).toBe(code);
    await (await open({}, "right")).check();
  });

  it("names a missing branch, and has no items without commits", async () => {
    expect((await faultOf((await open({ branch: "next" })).check())).toFault()).toMatchObject({
      code: "source.branch-missing",
      params: { branch: "next" },
    });
    expect((await faultOf((await open()).check())).code).toBe("source.nothing-found");
    expect((await listAll(await open())).items).toEqual([]);
  });

  const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1_000) + seconds);
  it.each([
    ["429 with Retry-After", 429, { "retry-after": "7" }, 7, 7],
    [
      "a used-up limit",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(300) },
      240,
      302,
    ],
    ["the secondary limit", 403, { "retry-after": "60" }, 60, 60],
    ["429 without a word", 429, {}, 60, 60],
  ])("waits after %s", async (_, status, headers, least, most) => {
    server.answers.set(api, (_request, response) => refuse(response, status, headers));
    const fault = await faultOf((await open()).list(null));
    expect(fault.code).toBe("source.busy");
    expect(fault.retryAfter).toBeGreaterThanOrEqual(least);
    expect(fault.retryAfter).toBeLessThanOrEqual(most);
  });

  it.each([
    ["403", 403, "source.denied"],
    ["500 in the middle", 500, "source.failing"],
  ])("tells %s apart from missing", async (_, status, code) => {
    const commit = server.commit({ "a.md": "a" });
    server.answers.set(`${api}/git/trees/${commit}`, (_request, response) =>
      refuse(response, status),
    );
    expect((await faultOf((await open()).list(null))).code).toBe(code);
  });

  it("refuses a page in place of JSON, and a commit that is none", async () => {
    server.answers.set(api, (_request, response) => void response.end("<html>Sign in</html>"));
    expect((await faultOf((await open()).check())).code).toBe("egress.unexpected-response");
    server.answers.delete(api);
    server.branches.set("main", "../../../admin");
    expect((await faultOf((await open()).check())).code).toBe("egress.unexpected-response");
  });

  it("follows no redirect to a private address", async () => {
    const commit = server.commit({ "a.md": "a" });
    server.answers.set(`${api}/git/trees/${commit}`, (_request, response) => {
      response.writeHead(302, { location: "http://10.0.0.1/tree" }).end();
    });
    await expect((await open()).list(null)).rejects.toMatchObject({
      fault: { code: "egress.not-public" },
    });
  });
});

describe("names in a repository", () => {
  const hostile = [
    "../../etc/cron.d/x",
    "/etc/passwd",
    "a/./b",
    "a\0b",
    `${"n".repeat(10_000)}.md`,
  ];
  it("do no harm", async () => {
    server.commit(Object.fromEntries([...hostile, "a%2f..%2fb.md"].map((name) => [name, name])));
    const source = await open();
    const { items } = await listAll(source);
    for (const { title, skip, item } of items)
      if (hostile.includes(title)) expect(skip?.code).toBe("source.name-unusable");
      else expect(await textOf(await source.fetch(item, null))).toBe("a%2f..%2fb.md");
    expect(items).toHaveLength(6);
  });
});

it("is known by its address, however it is written", () => {
  const read = (repo: string) => connector.settings.safeParse({ repo }).data?.repo;
  for (const typed of [
    "https://github.com/octo/handbook",
    "github.com/octo/handbook.git",
    "http://github.com/octo/handbook",
    "http://www.github.com:80/octo/handbook",
    "https://www.github.com/octo/handbook/tree/main/docs?x=1#y",
    "git@github.com:octo/handbook.git",
    "ssh://git@github.com/octo/handbook",
    "octo/handbook",
  ])
    expect(read(typed)).toBe("https://github.com/octo/handbook");
  expect(read("https://git.example.com:8443/octo/handbook/")).toBe(
    "https://git.example.com:8443/octo/handbook",
  );
  for (const typed of [
    "",
    "octo",
    "https://github.com/octo",
    "file:///octo/x",
    "https://github.com/../x",
    "a b/c",
  ])
    expect(read(typed)).toBeUndefined();
  const settings = connector.settings.parse({ repo: "octo/handbook" });
  expect(connector.originOf(settings)).toBe("https://api.github.com");
});
