import { describe, expect, it } from "@jest/globals";
import { readPage, readSitemap } from "./read-page.ts";

const text =
  "<p>Enough words about tides and bells to tell this page from any other one. </p>".repeat(3);

describe("a crawled page", () => {
  it("names its links, frames, base and canonical address", () => {
    const page = readPage(`<!doctype html><head><base href="/docs/"><base href="/other/">
      <title> Tides &amp; bells
      </title><link rel="canonical" href="/tides"><link rel=next href=page2>
      <meta name="Description" content="About &quot;tides&quot;"><meta name=author content=Eva>
      </head><body><a href='a?x=1&amp;y=2'>A</a><A HREF=b>B</A><a rel="nofollow" href=c>C</a>
      <a>none</a><iframe src=framed></iframe><map><area href=d></map>
      <!-- <a href=commented></a> --><script>'<a href="scripted">'</script></body>`);
    expect(page).toMatchObject({
      title: "Tides & bells",
      description: 'About "tides"',
      author: "Eva",
      base: "/docs/",
      canonical: "/tides",
      links: ["page2", "a?x=1&y=2", "b", "framed", "d"],
      mayIndex: true,
      mayFollow: true,
    });
  });

  it.each([
    ["noindex", false, true],
    ["NOINDEX, nofollow", false, false],
    ["none", false, false],
    ["max-snippet:20", true, true],
  ])("obeys robots metadata %s", (content, mayIndex, mayFollow) => {
    expect(readPage(`<meta name="robots" content="${content}">`)).toMatchObject({
      mayIndex,
      mayFollow,
    });
  });

  it("is a copy of another with the same text, whatever its navigation says", () => {
    const page = (menu: string, body: string) => readPage(`<nav>${menu}</nav>${body}`).fingerprint;
    expect(page("a", text)).toBe(page("b <a href=x>x</a>", `<main>${text}</main>`));
    expect(page("a", text)).not.toBe(page("a", `${text} more`));
    expect(page("a", "<p>Not found</p>")).toBeNull();
  });

  it.each([
    ["open tags", "<a href=x>"],
    ["nested elements", "<div><b>"],
    ["stray ends", "</div></nav>"],
    ["unclosed quotes", "<a href='"],
    ["less-than signs", "<"],
    ["entities", "&amp;&#x41;&notanentity"],
    ["attributes", " a=b c='d'"],
    ["comments", "<!-- "],
  ])("is read in time proportional to its length: %s", (_name, part) => {
    const measure = (length: number): number => {
      const html = `<p ${part.repeat(Math.ceil(length / part.length))}`;
      const started = performance.now();
      readPage(html);
      return performance.now() - started;
    };
    measure(100_000);
    expect(measure(1_600_000)).toBeLessThan(Math.max(1_500, 100 * measure(100_000)));
  });
});

it("a sitemap names pages, and an index further sitemaps", () => {
  expect(
    readSitemap(
      "<urlset><url><loc> https://a.example/x?a=1&amp;b=2 </loc><lastmod>2026</lastmod></url><url><loc><![CDATA[https://a.example/y]]></loc></url><url><loc></loc></url></urlset>",
    ),
  ).toEqual({ pages: ["https://a.example/x?a=1&b=2", "https://a.example/y"], sitemaps: [] });
  expect(
    readSitemap(
      "<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>",
    ),
  ).toEqual({ pages: [], sitemaps: ["https://a.example/s.xml"] });
  expect(readSitemap("<html><loc")).toEqual({ pages: [], sitemaps: [] });
});
