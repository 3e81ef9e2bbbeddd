import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import type { ListedPage } from "../../connector/connector.ts";
import { connector } from "./webdav.connector.ts";
import { WebdavFixture } from "./webdav.fixture.ts";

const answer =
  (status: number, headers: Record<string, string> = {}, body = "") =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body);
const multistatus = (inner: string, before = ""): string =>
  `<?xml version="1.0"?>${before}<D:multistatus xmlns:D="DAV:">${inner}</D:multistatus>`;
const described = (href: string, type = ""): string =>
  `<D:response xmlns:D="DAV:"><D:href>${href}</D:href><D:propstat><D:prop><D:resourcetype>${type}</D:resourcetype>
  </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;
const isFolder = "<D:collection/>";

describe("a WebDAV folder", () => {
  let dav: WebdavFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => dav.listener(...call));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    dav = new WebdavFixture();
    dav.files = new Map([
      ["readme.md", { content: "# Hello" }],
      ["Sub folder/50% & größer #1?.txt", { content: "odd", etag: 'W/"a&b"' }],
      ["Sub folder/deep/er/note.txt", { content: "deep" }],
    ]);
  });
  const open = (settings: object = {}, password = "secret") =>
    connector.open(
      connector.settings.parse({ url: `${server.address}/dav`, ...settings }),
      { username: "ada", password },
      server.context,
    );
  const listIds = async (settings: object = {}): Promise<string[]> =>
    (await listAll(await open(settings))).map(({ externalId }) => externalId).toSorted();

  it("is read with everything below it, whatever its files are called", async () => {
    const source = await open();
    const items = await listAll(source);
    expect(items.map(({ externalId }) => externalId).toSorted()).toEqual([
      "path:Sub folder/50% & größer #1?.txt",
      "path:Sub folder/deep/er/note.txt",
      "path:readme.md",
    ]);
    const odd = items.find(({ title }) => title.includes("50%"))!;
    const address = `${server.address}/dav/Sub%20folder/50%25%20%26%20gr%C3%B6%C3%9Fer%20%231%3F.txt`;
    expect(odd).toMatchObject({ version: 'W/"a&b"', bytes: 3, address });
    const fetched = await source.fetch(odd.item, null);
    expect(fetched).toMatchObject({
      filename: "50% & größer #1?.txt",
      mime: "text/plain",
      version: 'W/"a&b"',
      source: { connector: "webdav", reference: address },
      metadata: { title: "50% & größer #1?.txt", published: "2026-05-01T10:00:00.000Z" },
    });
    expect(await readFetched(fetched)).toBe("odd");
  });

  it("leaves out what isn't wanted, and says why", async () => {
    dav.files = new Map([
      ["a.txt", { content: "a" }],
      ["picture.png", { content: "png", type: "image/png" }],
      ["empty.txt", { content: "" }],
      ["large.txt", { content: "x".repeat(1_000_001) }],
      ["drafts/b.txt", { content: "b" }],
      ["c.tmp.txt", { content: "c" }],
    ]);
    const settings = { ignore: ["drafts/", "*.tmp.*"], maxMegabytes: 1 };
    const items = await listAll(await open(settings));
    expect(Object.fromEntries(items.map(({ title, skip }) => [title, skip?.code]))).toEqual({
      "a.txt": undefined,
      "picture.png": "source.type-unwanted",
      "empty.txt": "source.item-empty",
      "large.txt": "source.file-too-large",
    });
    expect(dav.requests).not.toContain("PROPFIND /dav/drafts/");
    // It has grown since it was listed.
    const source = await open(settings);
    const grown = { path: "large.txt", modified: "" };
    expect(await readFetched(await source.fetch(grown, null))).toBe("source.file-too-large");
  });

  it("lists 10,000 files in hundreds of folders, each folder once", async () => {
    dav.files = new Map(
      Array.from({ length: 10_000 }, (_, n) => [`${n % 10}/${n % 300}/${n}.txt`, { content: "x" }]),
    );
    const ids = await listIds();
    expect([ids.length, new Set(ids).size]).toEqual([10_000, 10_000]);
    const listed = dav.requests.filter((line) => /\/\d+\/$/.test(line));
    expect([listed.length, new Set(listed).size]).toEqual([310, 310]);
  });

  it("tells changed, moved and deleted files", async () => {
    dav.files = new Map([
      ["a.txt", { content: "a", id: "7" }],
      ["b.txt", { content: "b" }],
    ]);
    const source = await open();
    const [a, b] = await listAll(source);
    expect([a!.externalId, b!.externalId]).toEqual(["id:7", "path:b.txt"]);
    dav.files = new Map([["sub/renamed.txt", { content: "a", id: "7" }]]);
    expect(await listAll(source)).toMatchObject([
      { externalId: "id:7", title: "sub/renamed.txt", version: a!.version },
    ]);
    await expect(source.fetch(b!.item, null)).rejects.toMatchObject({ code: "source.missing" });
    expect(await source.current!(b!.item)).toBeNull();
    dav.files.set("b.txt", { content: "bb", etag: '"2"' });
    expect(await source.current!(b!.item)).toMatchObject({ version: '"2"' });
    dav.answers.set("PROPFIND /dav/b.txt", answer(403));
    await expect(source.current!(b!.item)).rejects.toMatchObject({ code: "source.denied" });
  });

  it.each([
    ["/cloud", ""],
    ["/cloud/index.php/apps/files/?dir=/Sub%20folder", "Sub folder"],
    ["/cloud/apps/files/files/12?dir=/Sub folder&openfile=true", "Sub folder"],
    ["/cloud/remote.php/dav/files/ada/Sub folder", "Sub folder"],
  ])("is found in Nextcloud by its address %s", async (path, folder) => {
    dav.cloud = "/cloud";
    dav.root = "/cloud/remote.php/dav/files/ada";
    dav.files = new Map([
      ["top.txt", { content: "top", id: "1" }],
      ["Sub folder/deep/note.txt", { content: "note", id: "2" }],
    ]);
    // People sign in with their e-mail, too.
    const credential = { username: "ada@mail.example", password: "secret" };
    dav.authorization = `Basic ${Buffer.from("ada@mail.example:secret").toString("base64")}`;
    const settings = connector.settings.parse({ url: `${server.address}${path}` });
    const source = await connector.open(settings, credential, server.context);
    await source.check();
    const items = await listAll(source);
    expect(items.map(({ externalId }) => externalId)).toEqual(
      folder === "" ? ["id:1", "id:2"] : ["id:2"],
    );
    expect(items.at(-1)!.address).toBe(`${server.address}/cloud/index.php/f/2`);
    expect(await readFetched(await source.fetch(items.at(-1)!.item, null))).toBe("note");
    expect(await connector.choices!("folder", settings, credential, server.context)).toEqual(
      folder === "" ? ["Sub folder"] : ["deep"],
    );
  });

  it("isn't found where there is none", async () => {
    for (const path of ["/", "/cloud/apps/files/?dir=/a"])
      await expect(open({ url: `${server.address}${path}` })).rejects.toMatchObject({
        code: "source.not-recognised",
        params: { name: "WebDAV" },
      });
    await expect(open({}, "wrong")).rejects.toMatchObject({
      code: "source.denied",
      params: { status: 401 },
    });
    dav.cloud = "/cloud";
    await expect(open({ url: `${server.address}/cloud` }, "wrong")).rejects.toMatchObject({
      code: "source.denied",
    });
    await expect((await open({ folder: "missing" })).check()).rejects.toMatchObject({
      code: "source.missing",
    });
    await expect((await open({ folder: "readme.md" })).check()).rejects.toMatchObject({
      code: "source.nothing-found",
    });
    expect(connector.settings.safeParse({ url: "x", folder: "" }).success).toBe(false);
    expect(
      connector.settings.safeParse({ url: `${server.address}/dav`, folder: "../b" }).success,
    ).toBe(false);
  });

  it.each([
    [401, {}, { code: "source.denied" }],
    [404, {}, null],
    [429, { "retry-after": "60" }, { code: "source.busy", retryAfter: 60 }],
    [503, { "retry-after": "120" }, { code: "source.busy", retryAfter: 120 }],
    [500, {}, { code: "source.failing" }],
    [200, {}, { code: "egress.unexpected-response" }],
  ])("passes on a status of %d %j in the middle", async (status, headers, fault) => {
    const source = await open();
    const { next } = await source.list(null);
    dav.answers.set("PROPFIND /dav/Sub%20folder/", answer(status, headers));
    const listed = source.list(next);
    // A folder that was deleted meanwhile, or a server that has lost its disk.
    if (fault === null) expect(await listed).toEqual({ items: [], next: null, isPartial: true });
    else await expect(listed).rejects.toMatchObject(fault);
  });

  it("leaves out a folder that it may not read, and says that it isn't all", async () => {
    dav.answers.set("PROPFIND /dav/Sub%20folder/", answer(403));
    const source = await open();
    const { next } = await source.list(null);
    expect(await source.list(next)).toMatchObject({
      items: [{ title: "Sub folder", skip: { code: "source.denied" } }],
      next: null,
      isPartial: true,
    });
    dav.extra = `<d:response><d:href>/dav/broken.txt</d:href><d:status>HTTP/1.1 500 Oops</d:status></d:response>`;
    expect(await source.list(null)).toMatchObject({ isPartial: true });
  });

  it("takes no answer about something else for an empty folder, or a deleted file", async () => {
    const source = await open();
    const { next } = await source.list(null);
    const elsewhere = described("/dav/other/", isFolder) + described("/dav/other/a.txt");
    dav.answers.set("PROPFIND /dav/other/", answer(207, {}, multistatus(elsewhere)));
    for (const given of [
      answer(207, {}, multistatus("")),
      answer(207, {}, multistatus(elsewhere)),
      answer(207, {}, multistatus(described("/dav/Sub%20folder/"))),
      answer(302, { location: "/dav/other/" }),
    ]) {
      dav.answers.set("PROPFIND /dav/Sub%20folder/", given);
      expect(await source.list(next)).toEqual({ items: [], next: null, isPartial: true });
    }
    dav.answers.set("PROPFIND /dav/readme.md", answer(207, {}, multistatus(elsewhere)));
    await expect(source.current!({ path: "readme.md", modified: "" })).rejects.toMatchObject({
      code: "egress.unexpected-response",
    });
    dav.extra = described("/elsewhere/b.txt");
    expect(await source.list(null)).toMatchObject({ isPartial: true });
  });

  it("notices a connection that is cut", async () => {
    const source = await open();
    for (const request of ["PROPFIND /dav/", "GET /dav/readme.md"])
      dav.answers.set(request, (response) => {
        response.writeHead(request.startsWith("GET") ? 200 : 207, { "content-length": "999" });
        response.write("<D:multistatus xmlns:D='DAV:'>");
        setImmediate(() => response.destroy());
      });
    await expect(source.list(null)).rejects.toMatchObject({ reason: "unreachable" });
    const fetched = await source.fetch({ path: "readme.md", modified: "" }, null);
    await expect(readFetched(fetched)).rejects.toMatchObject({ reason: "unreachable" });
    // The server says that it is whole.
    dav.answers.set(
      "PROPFIND /dav/",
      answer(207, {}, multistatus(described("/dav/")).slice(0, -20)),
    );
    await expect(source.list(null)).rejects.toMatchObject({ code: "egress.unexpected-response" });
  });

  it("follows no address out of its folder, and none in circles", async () => {
    const folder = (href: string): string => described(href, isFolder);
    dav.extra = [
      "http://elsewhere.example/dav/other.txt",
      "/dav/../secret.txt",
      "/dav/%2e%2e/secret.txt",
      "/dav/a%2F..%2F..%2Fsecret.txt",
      "/dav/%00.txt",
      "/dav/%ff.txt",
      "/dav/far/below.txt",
      "javascript:alert(1)",
      "",
    ]
      .map((href) => described(href))
      .concat(folder("/dav/"), folder("/"), folder("/dav/./"), folder("/dav/again/..//"))
      .join("");
    dav.files = new Map([["a.txt", { content: "a" }]]);
    const items = await listAll(await open());
    expect(items.map(({ externalId, skip }) => [externalId, skip?.code])).toEqual([
      ["href:/dav/a%2F..%2F..%2Fsecret.txt", "source.name-unusable"],
      ["href:/dav/%00.txt", "source.name-unusable"],
      ["href:/dav/%ff.txt", "source.name-unusable"],
      ["href:javascript:alert(1)", "source.name-unusable"],
      ["href:", "source.name-unusable"],
      ["path:a.txt", undefined],
      // Servers behind a proxy name themselves so; it is asked for here.
      ["path:other.txt", undefined],
    ]);
    expect(new Set(dav.requests)).toEqual(new Set(["PROPFIND /dav", "PROPFIND /dav/"]));
    // Each folder is in itself again.
    dav.extra = "";
    const { listener } = dav;
    const endless = Object.assign(new WebdavFixture(), {
      listener: ((request, response) => {
        const path = request.url!.replace(/\/?$/, "/");
        if (request.headers.depth === "0") return listener(request, response);
        dav.requests.push(path);
        answer(207, {}, multistatus(folder(path) + folder(`${path}loop/`)))(response);
      }) satisfies WebdavFixture["listener"],
    });
    const source = await open();
    dav = Object.assign(endless, { requests: [] });
    let cursor: string | null = null;
    let isPartial: true | undefined;
    do ({ next: cursor, isPartial } = await source.list(cursor));
    while (cursor !== null);
    expect(isPartial).toBe(true);
    expect(dav.requests.length).toBeLessThan(60);
  });

  it("limits what it keeps of large folders", async () => {
    const source = await open();
    const { next } = await source.list(null);
    dav.answers.set("PROPFIND /dav/Sub%20folder/", answer(207, {}, " ".repeat(20_000_001)));
    expect(await source.list(next)).toMatchObject({
      items: [
        {
          title: "Sub folder",
          skip: { code: "egress.page-too-large", params: { megabytes: 20 } },
        },
      ],
      next: null,
      isPartial: true,
    });
    // Folders whose names are long.
    dav.extra = Array.from({ length: 2_000 }, (_, n) =>
      described(`/dav/${String(n).padEnd(2_000, "x")}/`, isFolder),
    ).join("");
    const page = await source.list(null);
    expect(page.isPartial).toBe(true);
    expect(page.next!.length).toBeGreaterThan(1_900_000);
    expect(page.next!.length).toBeLessThan(2_100_000);
  });

  it("ends where folders have no end", async () => {
    const { listener } = dav;
    const endless = new WebdavFixture();
    const withTwo: WebdavFixture["listener"] = (request, response) => {
      const path = request.url!.replace(/\/?$/, "/");
      if (request.headers.depth === "0") return listener(request, response);
      endless.requests.push(path);
      const folders = [path, `${path}a/`, `${path}b/`].map((href) => described(href, isFolder));
      return answer(207, {}, multistatus(folders.join("")))(response);
    };
    const source = await open();
    dav = Object.assign(endless, { listener: withTwo });
    const { next, isPartial } = await source.list(null);
    expect([JSON.parse(next!), isPartial]).toEqual([{ due: ["a", "b"], listed: 1 }, undefined]);
    // As if it had gone on for long.
    let cursor: string | null = JSON.stringify({ due: ["a", "b"], listed: 49_990 });
    endless.requests.length = 0;
    let isCut = false;
    do {
      const page: ListedPage = await source.list(cursor);
      cursor = page.next;
      isCut ||= page.isPartial === true;
    } while (cursor !== null);
    expect([endless.requests.length, isCut]).toEqual([10, true]);
  });

  it("sends its credential nowhere else", async () => {
    const elsewhere = server.address.replace("127.0.0.1", "localhost");
    dav.answers.set("PROPFIND /dav", answer(302, { location: `${elsewhere}/other` }));
    dav.answers.set("PROPFIND /other", answer(207, {}, multistatus(described("/other", isFolder))));
    await expect(open()).rejects.toMatchObject({ code: "source.not-recognised" });
    expect(dav.requests).toEqual(["PROPFIND /dav", "GET /dav/status.php"]);
    dav.answers.clear();
    const source = await open();
    dav.answers.set("GET /dav/readme.md", answer(302, { location: `${elsewhere}/other` }));
    await expect(source.fetch({ path: "readme.md", modified: "" }, null)).rejects.toMatchObject({
      code: "egress.unexpected-response",
    });
    expect(dav.requests).not.toContain("GET /other");
  });

  it("isn't harmed by what is hostile", async () => {
    const source = await open();
    const entities = Array.from(
      { length: 9 },
      (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
    ).join("");
    const began = performance.now();
    for (const text of [
      multistatus(described("/dav/&e9;"), `<!DOCTYPE r [<!ENTITY e0 "x">${entities}]>`),
      multistatus(described("&x;"), '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      "<a>".repeat(200_000),
      `<a ${"b='1' ".repeat(200_000)}/>`,
      multistatus(`<${"!".repeat(200_000)}`),
      multistatus("<![CDATA[".repeat(200_000)),
      multistatus("&lt;".repeat(300_000)),
      multistatus(described("/dav/", isFolder) + "<a/>".repeat(300_000)),
      "<html><body>Sign in",
      "",
    ]) {
      dav.answers.set("PROPFIND /dav/", answer(207, {}, text));
      await expect(source.list(null)).rejects.toMatchObject({
        code: expect.stringMatching(/^(egress.unexpected-response|source.not-recognised)$/),
      });
    }
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
