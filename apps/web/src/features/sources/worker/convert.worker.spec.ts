import { describe, expect, it } from "@jest/globals";
import { filterHtml } from "./convert.worker.ts";

describe("HTML from a file", () => {
  it("keeps the elements and attributes of a document, and the text of others", () =>
    expect(
      filterHtml(
        '<!doctype html><html><head><title>x</title></head><body onload="y"><font><h1 class="a" dir=rtl>A &lt; b</h1></font><ol start=3><li>one<li>two</ol>',
      ),
    ).toBe('<h1 dir="rtl">A &lt; b</h1><ol start="3"><li>one</li><li>two</li></ol>'));
  it("drops what isn't shown, with its content", () =>
    expect(
      filterHtml(
        "<script>a()</script><p>b<p hidden>c <b>d</b></p><span aria-hidden=true>e</span><svg><text>f</text></svg><p>g",
      ),
    ).toBe("<p>b</p><p>g</p>"));
  it("keeps attributes from breaking out", () =>
    expect(filterHtml(`<img alt='"><script>a()</script>' src=x onerror=b>`)).toBe(
      '<img alt="&quot;&gt;&lt;script&gt;a()&lt;/script&gt;" src="x">',
    ));
  it("limits nesting and attributes", () => {
    const deep = filterHtml(`${"<div>".repeat(5_000)}x${"</div>".repeat(5_000)}<p>y</p>`);
    expect(deep.match(/<div>/g)).toHaveLength(200);
    expect(deep.match(/<\/div>/g)).toHaveLength(200);
    expect(deep).toMatch(/x(<\/div>)+<p>y<\/p>$/);
    expect(filterHtml(`<a href="${"x".repeat(9_999)}">a</a>`)).toBe("<a>a</a>");
  });

  it("gives up soon on HTML that would take quadratic time", () => {
    const before = process.cpuUsage();
    expect(() => filterHtml("<div>".repeat(100_000))).toThrow("nested too deeply");
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
