import type { CarrelError } from "@carrel/contracts";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  openSource,
  refreshed,
  refuse,
  textOf,
} from "../../repository/repository.fixture.ts";
import { GithubFixture } from "./github-server.fixture.ts";
import { connector } from "./github.connector.ts";

const running: GithubFixture[] = [];
let server: GithubFixture;

beforeEach(async () => {
  server = new GithubFixture();
  running.push(server);
  await server.start();
});
afterAll(() => Promise.all(running.map((each) => each.stop())));

const open = (settings: object = {}, token?: string) =>
  openSource(connector, { repo: server.repo, ...settings }, token);

describe("a repository on GitHub", () => {
  it("asks again for what couldn't be told, before it opens a file", async () => {
    server.commit({ "a.md": "a" });
    server.isPrivate = true;
    const source = await open();
    const api = "/api/v3/repos/octo/handbook";
    server.answers.set(api, (_, response) => refuse(response, 502));
    await expect(source.list(null)).rejects.toMatchObject({ code: "source.failing" });
    server.answers.delete(api);
    const [item] = (await listAll(source)).items;
    server.answers.set(`${api}/collaborators`, (_, response) => refuse(response, 502));
    await expect(source.fetch(item!.item, null)).rejects.toMatchObject({ code: "source.failing" });
    expect(server.count("/git/blobs/")).toBe(0);
    server.answers.clear();
    expect(await textOf(await source.fetch(item!.item, null))).toBe("a");
  });

  it("is empty only if it says so", async () => {
    const source = await open({ issues: true });
    expect((await listAll(source)).items).toEqual([]);
    server.commit({ "a.md": "a" });
    server.answers.set("/api/v3/repos/octo/handbook/commits/main", (_, response) =>
      refuse(response, 404),
    );
    await expect((await open({ issues: true })).list(null)).rejects.toMatchObject({
      code: "source.denied",
    });
  });

  it("may have its issues switched off, which isn't the same as refused", async () => {
    server.commit({ "a.md": "a" });
    server.answers.set("/api/v3/repos/octo/handbook/issues", (_, response) =>
      refuse(response, 410),
    );
    await expect(listAll(await open({ issues: true }))).rejects.toMatchObject({
      code: "source.missing",
    });
    server.hasIssues = false;
    const { items } = await listAll(await open({ issues: true }));
    expect(items.map(({ title }) => title)).toEqual(["a.md"]);
  });

  it("tells of single items what they are now, without an archive", async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`docs/deep/${n}.md`, `Note ${n}`]),
    );
    server.commit({ ...notes, "a.md": "a", "same.md": "same", "link.md": "x" });
    const first = {
      title: "First",
      body: "Why?",
      updated_at: "2026-11-03T08:00:00Z",
      comments: [],
    };
    server.issues = [
      { number: 1, ...first },
      { number: 2, ...first },
    ];
    const { items } = await listAll(await open({ issues: true }));
    const now = async (title: string): Promise<string> => {
      const item = items.find((each) => each.title === title)!;
      return refreshed(await open({ issues: true }), item).catch(
        (error: CarrelError) => error.code,
      );
    };
    const changed = Object.fromEntries(Object.keys(notes).map((path) => [path, `New ${path}`]));
    server.commit({
      ...changed,
      "same.md": "same",
      "link.md": { content: "same.md", mode: "120000" },
    });
    server.issues = [{ ...server.issues[0]!, body: "How?", updated_at: "2026-11-04T08:00:00Z" }];
    for (const [path, text] of Object.entries(changed)) expect(await now(path)).toBe(text);
    const blobs = server.count("/git/blobs/");
    expect(await now("same.md")).toBe("unchanged");
    expect(await now("a.md")).toBe("gone");
    expect(await now("link.md")).toBe("source.symbolic-link");
    expect(await now("Issue 1: First")).toContain("How?");
    expect(await now("Issue 2: First")).toBe("source.missing");
    expect([server.count("/git/blobs/") - blobs, server.count("/tarball/")]).toEqual([0, 0]);
  });

  it("loses an issue that was moved to another repository", async () => {
    server.commit({ "a.md": "a" });
    const moved = { title: "Moved", body: "", updated_at: "2026-11-03T08:00:00Z", comments: [] };
    server.issues = [{ number: 1, ...moved }];
    const source = await open({ issues: true });
    const issue = (await listAll(source)).items[1]!;
    const repos = "https://api.github.example/repos";
    server.url = `${repos}/octo/handbook`;
    Object.assign(server.issues[0]!, { repository_url: `${repos}/octo/private` });
    expect(await refreshed(await open({ issues: true }), issue)).toBe("gone");
    Object.assign(server.issues[0]!, { repository_url: server.url });
    expect(await refreshed(await open({ issues: true }), issue)).toBe("unchanged");
  });
});
