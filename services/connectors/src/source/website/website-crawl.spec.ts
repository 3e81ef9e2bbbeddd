import type { ContentClient } from "@carrel/egress";
import { expect, it } from "@jest/globals";
import { WebsiteCrawl } from "./website-crawl.ts";
import { websiteSettings } from "./website-form.ts";

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
