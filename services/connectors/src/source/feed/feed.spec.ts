import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { connector } from "./feed.connector.ts";
import { answer, elsewhere, FeedFixture, onInternet } from "./feed.fixture.ts";

describe("a feed", () => {
  let feed: FeedFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => feed.listener(...call));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    feed = new FeedFixture();
    feed.entries = [
      {
        id: "urn:1",
        title: "Low & high <b>water</b>",
        link: "https://news.example/1?a=1&b=2",
        date: "2026-05-01T10:00:00.000Z",
        content: '<p>The <b>tide</b> <a href="/table">turns</a>.</p><script>no()</script>',
      },
      { id: "urn:2", title: "Second", content: "<p>More</p>" },
    ];
  });
  const open = (settings: object = {}, credential: object = {}, context = server.context) =>
    connector.open(
      connector.settings.parse({ url: `${server.address}/feed`, ...settings }),
      connector.credential.parse(credential),
      context,
    );
  /** The documents of all that is listed, by their ids. */
  const readAll = async (settings: object = {}): Promise<[string, string][]> => {
    const source = await open(settings);
    const texts: [string, string][] = [];
    for (const { externalId, item } of await listAll(source))
      texts.push([externalId, await readFetched(await source.fetch(item, null))]);
    return texts;
  };

  it.each(["rss", "rdf", "atom", "json"] as const)("is read as %s", async (format) => {
    feed.format = format;
    const source = await open();
    const items = await listAll(source);
    expect(items.map(({ externalId, title, address }) => [externalId, title, address])).toEqual([
      [
        "urn:1",
        // Only in RSS may a title be HTML.
        format === "rss" || format === "rdf" ? "Low & high water" : "Low & high <b>water</b>",
        "https://news.example/1?a=1&b=2",
      ],
      ["urn:2", "Second", `${server.address}/feed`],
    ]);
    const stored = connector.item.parse(JSON.parse(JSON.stringify(items[0]!.item)));
    const fetched = await source.fetch(stored, null);
    expect(fetched).toMatchObject({
      mime: "text/markdown",
      version: items[0]!.version,
      source: { connector: "feed", reference: "https://news.example/1?a=1&b=2" },
      metadata: {
        docAuthor: "Eva",
        docSource: "Tides & bells",
        published: "2026-05-01T10:00:00.000Z",
      },
    });
    expect(await readFetched(fetched)).toBe(
      `# ${items[0]!.title}\n\nThe **tide** [turns](https://news.example/table).\n`,
    );
    expect(await source.fetch(stored, items[0]!.version!)).toEqual({ kind: "unchanged" });
    // Neither enclosures nor the entries' pages are asked for.
    expect(feed.requests.map(({ path }) => path)).toEqual(["/feed"]);
  });

  it("lists all parts of a long feed, each entry once", async () => {
    feed.entries = Array.from({ length: 5_000 }, (_, n) => ({
      id: `urn:${n}`,
      title: `Entry ${n}`,
      content: "<p>x</p>",
    }));
    const source = await open({ maxEntries: 5_000 });
    const ids = (await listAll(source)).map(({ externalId }) => externalId);
    expect([ids.length, new Set(ids).size]).toEqual([5_000, 5_000]);
    expect(feed.requests.at(-1)!.path).toBe("/feed?from=4000");
    expect(await listAll(await open({ maxEntries: 1_500 }))).toHaveLength(1_500);
    expect(feed.requests.at(-1)!.path).toBe("/feed?from=1000");
  });

  it("asks whether the feed has changed, and never takes an entry for gone", async () => {
    feed.partSize = 1;
    const source = await open();
    const first = await source.list(null);
    expect([first.mark, first.isPartial]).toEqual([undefined, true]);
    const { mark, next } = await source.list(first.next);
    expect(next).toBeNull();
    expect(await source.changes!(mark!, null)).toEqual({
      items: [],
      next: null,
      isPartial: true,
      mark,
    });
    feed.partSize = 9;
    feed.entries = [{ id: "urn:3", title: "Third", content: "" }, feed.entries[0]!];
    feed.entries[1]!.content = "Other";
    const changed = await source.changes!(mark!, null);
    expect(changed.items.map(({ externalId }) => externalId)).toEqual(["urn:3", "urn:1"]);
    expect(changed).toMatchObject({ next: null, isPartial: true });
    expect(changed.mark).not.toBe(mark);
    expect(changed.items[1]!.version).not.toBe(first.items[0]!.version);
  });

  it("is found through a page that names it, and signs in only at its own server", async () => {
    feed.authorization = `Basic ${Buffer.from("ada:x").toString("base64")}`;
    const html = { "content-type": "text/html" };
    const name = (href: string): string =>
      `<head><link rel=stylesheet href=a.css><link rel="alternate" type="application/rss+xml" href="${href}">`;
    feed.answers.set("/blog", answer(200, html, name("feed")));
    const blog = { url: `${server.address}/blog` };
    const credential = { username: "ada", password: "x" };
    expect(await listAll(await open(blog, credential))).toHaveLength(2);
    await expect((await open(blog)).list(null)).rejects.toMatchObject({ code: "source.denied" });

    feed.answers.set("/blog", answer(200, html, name(elsewhere(server, "/feed"))));
    await expect((await open(blog, credential)).list(null)).rejects.toMatchObject({
      code: "source.denied",
    });
    feed.answers.set("/moved", answer(302, { location: elsewhere(server, "/feed") }));
    await expect(
      (await open({ url: `${server.address}/moved` }, credential)).list(null),
    ).rejects.toMatchObject({ code: "source.denied" });
    expect(feed.requests.at(-1)!).not.toHaveProperty("authorization");
    feed.answers.set("/blog", answer(200, html, "<p>No feed"));
    await expect((await open(blog)).check()).rejects.toMatchObject({
      code: "source.not-recognised",
      params: { name: "a feed" },
    });
  });

  it("leads to no feed in the intranet if it is on the internet", async () => {
    const name = `<link rel=alternate type=application/rss+xml href="${elsewhere(server, "/feed")}">`;
    feed.answers.set("/blog", answer(200, { "content-type": "text/html" }, name));
    feed.answers.set("/moved", answer(302, { location: "/again" }));
    feed.answers.set("/again", answer(302, { location: elsewhere(server, "/feed") }));
    for (const path of ["/blog", "/moved"]) {
      const url = `${server.address}${path}`;
      expect(await listAll(await open({ url }))).toHaveLength(2);
      expect(
        await listAll(await open({ url }, {}, onInternet(server, server.context.content))),
      ).toHaveLength(2);
      feed.requests.length = 0;
      await expect((await open({ url }, {}, onInternet(server))).list(null)).rejects.toMatchObject({
        reason: "refused",
      });
      expect(feed.requests.map((request) => request.path)).not.toContain("/feed");
    }
  });

  it("follows no endless redirects between servers", async () => {
    feed.answers.set("/moved", (response) => {
      const isHere = response.req.headers.host === new URL(server.address).host;
      const location = isHere ? elsewhere(server, "/moved") : `${server.address}/moved`;
      response.writeHead(302, { location }).end();
    });
    const source = await open({ url: `${server.address}/moved` });
    await expect(source.list(null)).rejects.toMatchObject({ code: "egress.too-many-redirects" });
  });

  it.each([
    [401, {}, { code: "source.denied" }],
    [403, {}, { code: "source.denied" }],
    [404, {}, { code: "source.missing" }],
    [429, { "retry-after": "60" }, { code: "source.busy", retryAfter: 60 }],
    [500, {}, { code: "source.failing" }],
    [304, {}, { code: "egress.unexpected-response" }],
    [200, { "content-length": "99" }, { reason: "unreachable" }],
  ])("passes on a status of %d %j", async (status, headers, fault) => {
    feed.partSize = 1;
    const source = await open();
    const { next } = await source.list(null);
    const isCut = "content-length" in headers;
    for (const path of ["/feed", "/feed?from=1"])
      feed.answers.set(path, (response) => {
        response.writeHead(status, headers);
        if (!isCut) return void response.end();
        response.write("<rss>");
        setImmediate(() => response.destroy());
      });
    await expect(source.check()).rejects.toMatchObject(fault);
    await expect(source.list(next)).rejects.toMatchObject(fault);
  });

  it("reads what feeds get wrong", async () => {
    feed.answers.set(
      "/feed",
      answer(
        200,
        {},
        Buffer.from(
          `<?xml version="1.0" encoding="windows-1252"?>
          <rss version="2.0"><channel><title>Caf\xe9</title>
          <item><title>Fish & chips \x80 5</title><description>One\n\ntwo &lt; three</description>
            <link>/relative</link></item>
          <item><title>Same link</title><link>/relative</link></item>
          <item><description>Neither id nor link</description></item>
          <item><guid>12</guid><link>javascript:alert(1)</link><description>&lt;a href="javascript:x">a&lt;/a></description></item>
          <item><guid>https://news.example/permanent</guid><pubDate>yesterday</pubDate>
            <description>x</description></item>
          <item><guid>empty</guid><title>Empty</title></item></channel></rss>`,
          "latin1",
        ),
      ),
    );
    const source = await open();
    const items = await listAll(source);
    expect(items.map(({ externalId, title, address }) => [externalId, title, address])).toEqual([
      [`${server.address}/relative`, "Fish & chips € 5", `${server.address}/relative`],
      [
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
        `${server.address}/feed`,
      ],
      ["12", "12", `${server.address}/feed`],
      [
        "https://news.example/permanent",
        "https://news.example/permanent",
        "https://news.example/permanent",
      ],
      ["empty", "Empty", `${server.address}/feed`],
    ]);
    const texts = await readAll();
    expect(texts.map(([, text]) => text.replace(/^# .*\n\n/, ""))).toEqual([
      "One\n\ntwo < three\n",
      "Neither id nor link\n",
      "a\n",
      "x\n",
      "source.item-empty",
    ]);
    expect(items[0]!.item).toMatchObject({ feed: "Café", published: "" });
  });

  it("isn't harmed by what is hostile", async () => {
    const rss = (items: string, before = ""): string =>
      `${before}<rss version="2.0"><channel>${items}</channel></rss>`;
    const entities = Array.from(
      { length: 9 },
      (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
    ).join("");
    const bomb = `<!DOCTYPE r [<!ENTITY e0 "boom">${entities}]>`;
    feed.answers.set(
      "/feed",
      answer(200, {}, rss("<item><guid>1</guid><description>&e9;</description></item>", bomb)),
    );
    expect((await readAll())[0]![1].length).toBeLessThan(100);
    const began = performance.now();
    for (const text of [
      "<a>".repeat(50_000),
      `<item ${"a=1 ".repeat(50_000)}/>`,
      "<![CDATA[".repeat(50_000),
      `<item><title>${"&lt;".repeat(50_000)}</title></item>`,
      "<item><__proto__><constructor>",
      "\0\ud800",
      '<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><item><title>&f;</title></item>',
    ]) {
      feed.answers.set("/feed", answer(200, {}, rss(text)));
      await (await open()).list(null).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "source.not-recognised" });
      });
    }
    expect(performance.now() - began).toBeLessThan(20_000);
    // Parts that name each other.
    const next = (path: string) =>
      `${rss(`<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="${path}"/><item><guid>1</guid></item>`)}`;
    feed.answers.set("/feed", answer(200, {}, next("/other")));
    feed.answers.set("/other", answer(200, {}, next("/feed")));
    expect((await listAll(await open())).length).toBeLessThan(1_000);
    feed.answers.set("/feed", answer(200, {}, next("https://elsewhere.example/")));
    expect(await listAll(await open())).toHaveLength(1);
  });
});
