import type { ContentClient } from "@carrel/egress";
import { expect, it } from "@jest/globals";
import { listAll, readFetched, startFixtureServer } from "../../../test/fixture-server.ts";
import { WebsiteCrawl } from "./website-crawl.ts";
import { websiteSettings } from "./website-form.ts";
import { WebsiteFixture } from "./website-site.fixture.ts";
import { connector } from "./website.connector.ts";

const answer = (url: string) => {
  const robots = url.endsWith("/robots.txt");
  const urls = ["blog", "blog/a", "blogging", "docs", "guide"];
  const xml = urls.map((path) => `<url><loc>https://a.example/${path}</loc></url>`).join("");
  return Promise.resolve({
    url,
    status: robots ? 404 : 200,
    headers: new Headers(),
    mime: null,
    body: Buffer.from(robots ? "" : `<urlset>${xml}</urlset>`),
  });
};

it.each([
  [50, ["blogging", "docs", "guide"]],
  [1, ["blogging", "docs"]],
])("chooses from a sitemap what isn't excluded, up to %p pages twice", async (maxPages, wanted) => {
  const crawl = new WebsiteCrawl(
    websiteSettings.parse({ url: "https://a.example/", maxPages, exclude: "/blog\n" }),
    {
      content: { fetch: answer } as unknown as ContentClient,
      signal: new AbortController().signal,
    },
  );
  const scope = { origin: "https://a.example", path: "/" };
  const cursor = JSON.stringify({ scope, left: ["https://a.example/sitemap.xml"], read: 0 });
  const { items, next } = await crawl.list(cursor);
  expect(items.map(({ address }) => address)).toEqual(
    wanted.map((path) => `https://a.example/${path}`),
  );
  expect(next).toBeNull();
});

it.each([
  [true, "%PDF-1.4 manual"],
  [false, "source.type-unwanted"],
])("reads files that pages link to if they are wanted: %p", async (files, wanted) => {
  const site = new WebsiteFixture(1);
  const served = await startFixtureServer(site.listener);
  try {
    const settings = connector.settings.parse({
      url: `${served.address}/docs/`,
      sitemap: false,
      files,
    });
    const source = await connector.open(settings, {}, served.context);
    const [start] = await listAll(source);
    const { discovered } = await source.fetch(start!.item, null);
    const manual = discovered!.find(({ address }) => address.endsWith("/manual.pdf"))!;
    expect(await readFetched(await source.fetch(manual.item, null))).toBe(wanted);
    // Pictures and the like never are.
    expect(discovered!.filter(({ address }) => address.endsWith(".png"))).toEqual([]);
  } finally {
    await served.stop();
  }
});
