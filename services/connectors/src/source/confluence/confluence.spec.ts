import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import type { ConfluenceSource } from "./confluence-source.ts";
import { connector } from "./confluence.connector.ts";
import { ConfluenceFixture } from "./confluence.fixture.ts";

const basic = `Basic ${Buffer.from("ada@a.example:secret").toString("base64")}`;
const token = { username: "ada@a.example", accessToken: "secret" };
const pat = { personalAccessToken: "pat" };

describe.each([
  {
    name: "the cloud",
    kind: "cloud",
    contextPath: "/wiki",
    authorization: basic,
    credential: token,
  },
  {
    name: "a server at its root",
    kind: "server",
    contextPath: "",
    authorization: "Bearer pat",
    credential: pat,
  },
  {
    name: "a server behind a path",
    kind: "server",
    contextPath: "/intern/kb",
    authorization: "Bearer pat",
    credential: pat,
  },
] as const)("Confluence in $name", ({ kind, contextPath, authorization, credential }) => {
  let fixture: ConfluenceFixture;
  let served: FixtureServer;
  const deployment = kind === "cloud" ? "cloud" : "self-hosted";
  const open = (more: object = {}, sent: object = credential) =>
    connector.open(
      connector.settings.parse({ url: served.address, deployment, space: "HR", ...more }),
      connector.credential.parse(sent),
      served.context,
    );

  beforeAll(async () => {
    served = await startFixtureServer((request, response) => fixture.listener(request, response));
  });
  afterAll(() => served.stop());
  beforeEach(() => {
    fixture = new ConfluenceFixture(kind, contextPath, authorization);
    fixture.pages.push(
      { id: "1", title: "Home", body: "<p>Welcome</p>", labels: ["start", "hr"] },
      {
        id: "2",
        title: "Travel / costs",
        version: 7,
        parents: ["1"],
        body: '<ac:structured-macro ac:name="info"><ac:rich-text-body><p>Ask <ac:link><ri:user ri:account-id="a-bob" ri:userkey="a-bob"/></ac:link></p></ac:rich-text-body></ac:structured-macro>',
        attachments: [
          { id: "att1", title: "form.pdf", mediaType: "application/pdf", bytes: 100 },
          { id: "att2", title: "photo.png", mediaType: "image/png", bytes: 100 },
          {
            id: "att3",
            title: "all.xlsx",
            mediaType: "application/octet-stream",
            bytes: 90_000_000,
          },
        ],
      },
      { id: "3", title: "Old", body: "<p>Old</p>", status: "archived" },
      { id: "4", title: "Empty", body: "" },
    );
  });

  it("lists pages and attachments, with the reasons of those left out", async () => {
    const source = await open();
    await source.check();
    expect(
      (await listAll(source)).map(({ externalId, title, version, skip }) => [
        externalId,
        title,
        version,
        skip?.code,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["1", "Home", "1", undefined],
        ["2", "Travel / costs", "7", undefined],
        ["4", "Empty", "1", undefined],
        ["attachment/att1", "form.pdf", "1", undefined],
        ["attachment/att2", "photo.png", "1", "source.type-unwanted"],
        ["attachment/att3", "all.xlsx", "1", "egress.page-too-large"],
      ]),
    );
    expect(await listAll(source)).toHaveLength(6);
    expect(await listAll(await open({ attachments: false }))).toHaveLength(3);
  });

  it("reads pages as text, with author, labels and address", async () => {
    const source = await open();
    const items = await listAll(source);
    const item = (id: string) => items.find(({ externalId }) => externalId === id)!.item;
    const page = await source.fetch(item("2"), null);
    expect(await readFetched(page)).toBe(
      "# Travel / costs\n\n> **Info**\n>\n> Ask @Name of a-bob\n",
    );
    const address = `${served.address}${contextPath}${kind === "cloud" ? "/spaces/HR/pages/2" : "/display/HR/2"}`;
    expect(page).toMatchObject({
      filename: "Travel costs.md",
      version: "7",
      source: { kind: "connector", connector: "confluence", reference: address },
      metadata: {
        title: "Travel / costs",
        url: `${address}.page`,
        docAuthor: kind === "cloud" ? "Name of a-ada" : "Ada",
        docSource: `${served.address} Confluence`,
      },
    });
    expect(await source.fetch(item("2"), "7")).toEqual({ kind: "unchanged" });
    expect(await source.fetch(item("1"), null)).toMatchObject({
      metadata: { description: "Labels: start, hr" },
    });
    expect(await source.fetch(item("4"), null)).toMatchObject({
      kind: "skipped",
      fault: { code: "source.item-empty" },
    });
    expect(await readFetched(await source.fetch(item("attachment/att1"), null))).toBe(
      "bytes of form.pdf",
    );
  });

  it("tells of single attachments what they are now", async () => {
    const source = await open();
    const { item } = (await listAll(source)).find(
      ({ externalId }) => externalId === "attachment/att1",
    )!;
    expect(await source.current!(item)).toMatchObject({
      item: { id: "att1", download: item.download },
      version: "1",
    });
    fixture.pages[1]!.attachments![0]!.version = 2;
    const current = (await source.current!(item))!;
    expect(current).toMatchObject({ item: { id: "att1", pageId: "2" }, version: "2" });
    const fetched = await source.fetch(current.item, "1");
    expect(fetched).toMatchObject({ version: "2" });
    expect(await readFetched(fetched)).toBe(
      kind === "cloud" ? "bytes of form.pdf" : "bytes of form.pdf, version 2",
    );
    fixture.pages[1]!.attachments = [];
    await expect(source.current!(item)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("loses pages that were deleted, archived or moved to another space", async () => {
    const source = await open();
    const items = await listAll(source);
    fixture.pages[0]!.status = "trashed";
    fixture.pages[1]!.space = "DEV";
    for (const id of ["1", "2"])
      await expect(
        source.fetch(items.find(({ externalId }) => externalId === id)!.item, null),
      ).rejects.toMatchObject({
        code: "source.missing",
      });
    expect((await listAll(source)).map(({ title }) => title)).toEqual(["Empty"]);
  });

  const many = kind === "cloud" ? 10_000 : 1_000;
  it(`lists all of ${many} pages`, async () => {
    fixture.pages.length = 0;
    for (let id = 0; id < many; id += 1)
      fixture.pages.push({ id: `p${id}`, title: `Page ${id}`, body: "" });
    const ids = (await listAll(await open())).map(({ externalId }) => externalId);
    expect([ids.length, new Set(ids).size]).toEqual([many, many]);
  });

  it("finds out who may read a page, from it, what it is in, and the space", async () => {
    fixture.groups.set("board", [
      { account: "a-ada", email: "ada@a.example" },
      { account: "a-eve" },
    ]);
    const everybody = ["a-ada", "a-bob", "a-carl", "a-eve"].map((account) => ({ account }));
    fixture.groups.set("confluence-users", everybody);
    const accessOf = async (id: string) => {
      const source = await open();
      const { item } = (await listAll(source)).find(({ externalId }) => externalId === id)!;
      return (await source.access!([item]))[0];
    };
    const [home, travel] = fixture.pages as [(typeof fixture.pages)[0], (typeof fixture.pages)[0]];
    home.readers = { users: ["a-bob"], groups: ["board"] };
    expect(await accessOf("1")).toEqual({
      emails: ["ada@a.example"],
      accounts: ["a-bob", "a-ada", "a-eve"],
    });
    // Its own list, and that of the page it is in, must both name somebody.
    travel.readers = { users: ["a-eve", "a-carl"], groups: [] };
    expect(await accessOf("2")).toEqual({ emails: [], accounts: ["a-eve"] });
    expect(await accessOf("attachment/att1")).toEqual({ emails: [], accounts: ["a-eve"] });
    // A list that can't be read names nobody.
    home.readers = null;
    expect(await accessOf("2")).toEqual({ emails: [], accounts: [] });
    home.readers = undefined;
    travel.readers = undefined;
    // Not everybody in the workspace has an account in Confluence.
    fixture.groups.set("confluence-users", [{ account: "a-ada", email: "ada@a.example" }]);
    expect(await accessOf("2")).toEqual({ emails: ["ada@a.example"], accounts: ["a-ada"] });
    fixture.groups.delete("confluence-users");
    fixture.spaceReaders = { users: ["a-bob"], groups: ["gone"] };
    expect(await accessOf("2")).toEqual({ emails: [], accounts: ["a-bob"] });
    fixture.spaceReaders = null;
    expect(await accessOf("2")).toEqual({ emails: [], accounts: [] });
    fixture.isPublic = true;
    expect(await accessOf("2")).toBe("everyone");
    // Apart from the contents, as every hour.
    home.readers = { users: ["a-bob"], groups: [] };
    const source = (await open()) as ConfluenceSource;
    const items = (await listAll(source)).map(({ item }) => item);
    const lists = await source.access(items);
    expect(lists[items.findIndex(({ id }) => id === "att1")]).toEqual({
      emails: [],
      accounts: ["a-bob"],
    });
    expect(lists[items.findIndex(({ id }) => id === "4")]).toBe("everyone");
  });

  it.each([401, 403, 404])("names nobody if a list of readers answers %d", async (status) => {
    fixture.isPublic = true;
    const source = (await open()) as ConfluenceSource;
    const { item } = (await listAll(source)).find(({ externalId }) => externalId === "2")!;
    expect(await source.access([item])).toEqual(["everyone"]);
    // Of the page itself, and of the one it is in.
    for (const id of ["1", "2"]) {
      const path = `/rest/api/content/${id}/restriction/byOperation/read`;
      const read = async () => ((await open()) as ConfluenceSource).access([item]);
      fixture.answers.set(path, (_, response) => void response.writeHead(status).end("no"));
      expect(await read()).toEqual([{ emails: [], accounts: [] }]);
      // An outage says nothing about who may read it.
      fixture.answers.set(path, (_, response) => void response.writeHead(500).end("no"));
      await expect(read()).rejects.toMatchObject({ code: "source.failing" });
      fixture.answers.delete(path);
    }
  });

  it("lists what comes after pages that the credential may not see", async () => {
    fixture.pages.length = 0;
    for (let id = 0; id < 120; id += 1) {
      const isHidden = id >= 50 && id < 100;
      const page = { id: `p${id}`, title: `Page ${id}`, body: "" };
      if (kind === "server" || !isHidden)
        fixture.pages.push({ ...page, ...(isHidden && { isHidden }) });
    }
    expect(await listAll(await open())).toHaveLength(70);
    if (kind === "cloud") return;
    // Without knowing where it goes on, what isn't listed must not be taken for gone.
    fixture.answers.set("/rest/api/content", (_, response) => {
      response.end(JSON.stringify({ results: [], size: 0, _links: { next: "/elsewhere" } }));
    });
    expect(await (await open()).list(null)).toEqual({ items: [], next: null, isPartial: true });
  });

  it("finds out who may read the attachment of a blog post", async () => {
    fixture.isPublic = true;
    fixture.pages.push({
      id: "9",
      title: "News",
      body: "<p>News</p>",
      isPost: true,
      attachments: [{ id: "att9", title: "news.pdf", mediaType: "application/pdf", bytes: 9 }],
    });
    const source = await open({ blogPosts: true });
    const items = (await listAll(source)).filter(({ title }) => /news/i.test(title));
    expect(items.map(({ externalId }) => externalId).toSorted()).toEqual(["9", "attachment/att9"]);
    expect(await source.access!(items.map(({ item }) => item))).toEqual(["everyone", "everyone"]);
  });

  it("says what is wrong", async () => {
    await expect(open({}, { personalAccessToken: "wrong" })).rejects.toMatchObject({
      code: "source.denied",
      params: { status: 401 },
    });
    await expect(open({ url: `${served.address}/elsewhere` })).rejects.toMatchObject({
      code: "source.not-recognised",
    });
    const missing = await open({ space: "NONE" });
    await expect(missing.check()).rejects.toMatchObject({
      code: kind === "cloud" ? "source.nothing-found" : "source.missing",
    });
    await expect(open({ space: undefined })).rejects.toMatchObject({
      code: "source.setting-invalid",
    });
  });

  it("lists the spaces to choose from", async () => {
    const settings = connector.settings.parse({
      url: `${served.address}${contextPath}/display/HR/Home`,
      deployment,
    });
    const sent = connector.credential.parse(credential);
    expect(await connector.choices!("space", settings, sent, served.context)).toEqual([
      "DEV",
      "HR",
    ]);
  });

  it.each([
    [429, { "retry-after": "7" }, { code: "source.busy", retryAfter: 7 }],
    [500, {}, { code: "source.failing" }],
    [403, {}, { code: "source.denied" }],
    [404, {}, { code: "source.missing" }],
  ])("passes on a status of %d", async (status, headers, fault) => {
    const source = await open();
    const { item } = (await listAll(source))[0]!;
    const path = kind === "cloud" ? "/api/v2/pages/1" : "/rest/api/content/1";
    fixture.answers.set(path, (_, response) => void response.writeHead(status, headers).end("no"));
    await expect(source.fetch(item, null)).rejects.toMatchObject(fault);
  });

  it("takes no answer that isn't one, and follows no link to another server", async () => {
    const source = await open();
    const { item } = (await listAll(source))[0]!;
    const page = kind === "cloud" ? "/api/v2/pages/1" : "/rest/api/content/1";
    const list =
      kind === "cloud" ? "/api/v2/spaces/77/pages" : "/rest/api/content/2/child/attachment";
    fixture.answers.set(page, (_, response) => void response.end("<html>Sign in</html>"));
    await expect(source.fetch(item, null)).rejects.toMatchObject({
      code: "egress.unexpected-response",
    });
    fixture.answers.set(page, (_, response) => {
      response.writeHead(200, { "content-length": "99" }).write("{");
      setImmediate(() => response.destroy());
    });
    await expect(source.fetch(item, null)).rejects.toMatchObject({
      fault: { code: "egress.unreachable" },
    });
    fixture.answers.set(
      list,
      (_, response) =>
        void response.end(
          JSON.stringify({ results: [], size: 0, _links: { next: "http://127.0.0.2:9/steal" } }),
        ),
    );
    if (kind === "cloud")
      await expect(listAll(source)).rejects.toMatchObject({ code: "egress.unexpected-response" });
    else expect(await listAll(source)).toHaveLength(5);
  });
});
