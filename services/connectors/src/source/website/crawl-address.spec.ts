import { describe, expect, it } from "@jest/globals";
import { identityOf, isInScope, isTrap, normalise, scopeOf } from "./crawl-address.ts";

const base = "https://docs.example.com/guide/start";
const url = (href: string): URL => normalise(href, base)!;

describe("addresses of a crawl", () => {
  it.each([
    ["next#part", "https://docs.example.com/guide/next"],
    ["/a?b=2&a=1&utm_source=x&PHPSESSID=9", "https://docs.example.com/a?a=1&b=2"],
    ["/shop;jsessionid=AB12?x=1", "https://docs.example.com/shop?x=1"],
    ["//cdn.example.com//a//b", "https://cdn.example.com/a/b"],
    ["HTTPS://DOCS.example.com:443/A", "https://docs.example.com/A"],
  ])("%s is fetched as %s", (href, wanted) => {
    expect(url(href).href).toBe(wanted);
  });

  it.each([
    "mailto:a@example.com",
    "javascript:alert(1)",
    "http://[broken",
    "http://a:b@c/",
    "/x".repeat(600),
  ])("%s is no page", (href) => expect(normalise(href, base)).toBeNull());

  it.each([
    ["/x", "/x/"],
    ["/x/index.html", "/x"],
    ["/x?b=1&a=2", "/x/?a=2&b=1"],
    ["/x#a", "/x"],
  ])("%s and %s are one page", (one, other) => {
    expect(identityOf(url(one))).toBe(identityOf(url(other)));
  });

  it("belong to the start's folder or its site", () => {
    const folder = scopeOf(new URL(base), false);
    const site = scopeOf(new URL(base), true);
    for (const [href, inFolder, inSite] of [
      ["/guide/a/b", true, true],
      ["/guide", true, true],
      ["/guidebook", false, true],
      ["/", false, true],
      ["https://example.com/guide/a", false, false],
      ["http://docs.example.com/guide/a", false, false],
    ] as const)
      expect([href, isInScope(url(href), folder), isInScope(url(href), site)]).toEqual([
        href,
        inFolder,
        inSite,
      ]);
  });

  it.each([
    ["/a/b/c?x=1&y=2&z=3", false],
    ["/2026/11/11/news", false],
    ["/a/a/a/b", true],
    ["/shop?color=red&size=1&brand=a&sort=up", true],
    [`/${Array.from({ length: 15 }, (_, n) => n).join("/")}`, true],
  ])("%s is a trap: %p", (href, wanted) => {
    expect(isTrap(url(href))).toBe(wanted);
  });
});
