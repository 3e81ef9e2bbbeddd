import type { EgressError } from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { ItemBusyError, type SourceContext } from "../../connector/connector.ts";
import { connector } from "./feed.connector.ts";
import { answer, elsewhere, FeedFixture, onInternet } from "./feed.fixture.ts";

describe("a feed whose full pages are imported", () => {
  let feed: FeedFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => feed.listener(...call));
  });
  afterAll(() => server.stop());
  const words = "The whole story, which the feed only hints at. ".repeat(4);
  const page = (html: string, more: object = {}) =>
    answer(200, { "content-type": "text/html; charset=utf-8", etag: '"v1"', ...more }, html);
  beforeEach(() => {
    feed = new FeedFixture();
    feed.entries = ["/a", "/pdf", "/hidden", "/robots", "/picture", "/gone"].map((path) => ({
      id: path,
      title: `Entry ${path}`,
      link: `${server.address}${path}`,
      content: "<p>hint</p>",
    }));
    feed.entries.push({ id: "none", title: "No page", content: "<p>All of it</p>" });
    feed.answers.set("/robots.txt", answer(200, {}, "User-agent: *\nDisallow: /robots"));
    feed.answers.set("/a", page(`<title>Other</title><main>${words}</main>`));
    feed.answers.set("/pdf", answer(200, { "content-type": "application/pdf" }, "%PDF"));
    feed.answers.set("/hidden", page('<meta name="robots" content="noindex">'));
    feed.answers.set("/picture", answer(200, { "content-type": "image/png" }, "png"));
  });

  const settings = () =>
    connector.settings.parse({ url: `${server.address}/feed`, fullPages: true });
  const open = (context: SourceContext = server.context) =>
    connector.open(settings(), connector.credential.parse({}), context);

  it("reads what it may, with conditional requests", async () => {
    const source = await open();
    const items = await listAll(source);
    const results: string[] = [];
    for (const { item } of items.filter(({ externalId }) => externalId !== "/gone"))
      results.push(await readFetched(await source.fetch(item, null)));
    expect(results).toEqual([
      `<title>Other</title><main>${words}</main>`,
      "%PDF",
      "source.no-index",
      "source.robots",
      "source.type-unwanted",
      "# No page\n\nAll of it\n",
    ]);
    const [first, gone] = [items[0]!.item, items[5]!.item];
    await expect(source.fetch(gone, null)).rejects.toMatchObject({ code: "source.missing" });
    const fetched = await source.fetch(first, null);
    expect(fetched).toMatchObject({
      filename: "Entry a.html",
      mime: "text/html",
      metadata: { title: "Entry /a", url: `${server.address}/a` },
    });
    const { version } = fetched as { version: string };
    feed.answers.set("/a", answer(304, {}));
    expect(await source.fetch(first, version)).toEqual({ kind: "unchanged" });
    expect(feed.requests.at(-1)).toEqual({ path: "/a", condition: '"v1"' });
    // A page may change while the feed doesn't.
    expect(source.changes).toBeUndefined();
    expect("version" in items[0]!).toBe(false);
  });

  it("are read in the intranet only if the feed is there, too", async () => {
    feed.entries = [
      { id: "1", title: "One", link: elsewhere(server, "/a"), content: "<p>hint</p>" },
    ];
    feed.entries.push({ ...feed.entries[0]!, id: "2", link: `${server.address}/moved` });
    feed.answers.set("/moved", answer(302, { location: elsewhere(server, "/a") }));
    const read = async (source: Awaited<ReturnType<typeof open>>) => {
      const items = await listAll(source);
      feed.requests.length = 0;
      return Promise.all(
        items.map(({ item }) =>
          source
            .fetch(connector.item.parse(item), null)
            .then(readFetched, ({ reason }: EgressError) => reason),
        ),
      );
    };
    const text = expect.stringContaining(words);
    expect(await read(await open())).toEqual([text, text]);
    const { content } = server.context;
    expect(await read(await open(onInternet(server, content)))).toEqual([text, text]);
    const refused = await read(await open(onInternet(server)));
    expect(refused).toEqual(["refused", "refused"]);
    expect(feed.requests.map(({ path }) => path).toSorted()).toEqual(["/moved", "/robots.txt"]);
  });

  it("wait for a busy site that the feed only links to, but not for others", async () => {
    const [listed] = await listAll(await open());
    const expected = { code: "source.busy", retryAfter: 60 };
    for (const path of ["/a", "/robots.txt"]) {
      const before = feed.answers.get(path)!;
      feed.answers.set(path, answer(429, { "retry-after": "60" }));
      const source = await open();
      const own = source.fetch(listed!.item, null);
      await expect(own).rejects.not.toBeInstanceOf(ItemBusyError);
      await expect(own).rejects.toMatchObject(expected);
      const item = { ...listed!.item, link: elsewhere(server, "/a") };
      await expect(source.fetch(item, null)).rejects.toBeInstanceOf(ItemBusyError);
      // Nor is it asked again meanwhile.
      feed.requests.length = 0;
      await expect(source.fetch(item, null)).rejects.toBeInstanceOf(ItemBusyError);
      expect(feed.requests).toEqual([]);
      feed.answers.set(path, before);
    }
  });

  it("reads the page of an entry that had none when it was imported", async () => {
    const source = await open();
    const items = await listAll(source);
    const fetched = await source.fetch(items.at(-1)!.item, null);
    const { version } = fetched as { version: string };
    const link = `${server.address}/a`;
    expect(await readFetched(await source.fetch({ ...items.at(-1)!.item, link }, version))).toBe(
      `<title>Other</title><main>${words}</main>`,
    );
  });

  it("reaches no private address, and follows no redirect that robots.txt forbids", async () => {
    const source = await open();
    const [listed] = await listAll(source);
    for (const link of ["http://169.254.169.254/latest", "http://10.0.0.1/"])
      await expect(source.fetch({ ...listed!.item, link }, null)).rejects.toMatchObject({
        reason: "refused",
      });
    feed.answers.set("/a", answer(302, { location: "/robots" }));
    await expect(source.fetch(listed!.item, null)).rejects.toMatchObject({
      code: "egress.unexpected-response",
    });
    expect(feed.requests.map(({ path }) => path)).not.toContain("/robots");
  });
});
