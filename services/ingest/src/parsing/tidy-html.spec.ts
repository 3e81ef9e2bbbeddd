import { findSlowTexts } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { parse } from "../../test/parse.ts";
import { parseHtml } from "./parse-html.ts";
import { tidyHtml } from "./tidy-html.ts";

describe("tidying HTML", () => {
  it.each([
    ["<p>One<p>Two", "<p>One</p><p>Two</p>"],
    ["<ul><li>a<ul><li>b</ul><li>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"],
    ["<dl><dt>a<dd>b<dt>c", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"],
    [
      "<table><tr><td>a<td>b<tr><th>c</table>d",
      "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d",
    ],
    [
      "<table><tr><td><table><tr><td>a</table>b",
      "<table><tr><td><table><tr><td>a</td></tr></table>b</td></tr></table>",
    ],
    ["<p><span>a<div>b</div>", "<p>a</p><div>b</div>"],
    ["<h1>a<h2>b", "<h1>a</h1><h2>b</h2>"],
    ["a</p>b</br>c</div>d", "a<p>b<br>cd</p>"],
    ["<B CLASS=x>a</B> &amp; b", "a &amp; b"],
    [
      "<tr><td><B CLASS=x>a</B> b<td><strong>c<p>d</strong>e</p>f<td>g",
      "<tr><td><b>a</b> b</td><td><b>c<p>de</p>f</b></td><td>g</td></tr>",
    ],
    ['<td rowspan=2 onclick="x>y" role="a b">c', '<td rowspan="2">c</td>'],
    ["<p hidden>a</p><i aria-hidden='true'>b</i>c", '<p hidden="">a</p><span hidden>b</span>c'],
    ["<svg/><svg><path/>a</svg>b", "<span hidden></span><span hidden>a</span>b"],
    ["<script>if (a<b) '</p>'</script>c", "c"],
    ["<title>a</title><style>p{}</STYLE >b", "b"],
    ["<!-- <p> -->a<!doctype x><?php ?>b<![CDATA[c]]>d", "abd"],
    ["1 < 2 <3 </> a<", "1 &lt; 2 &lt;3  a&lt;"],
    ["<pre>\n a</pre>", "<pre> a</pre>"],
    ['<p x="1>a', "<p>a</p>"],
    ["<p", "<p></p>"],
  ])("%s", (source, tidy) => expect(tidyHtml(source).html).toBe(tidy));

  it("keeps the text of elements that are nested too deeply", () => {
    const deep = tidyHtml(`${"<div>".repeat(5_000)}deep${"</div>".repeat(5_000)}<p>after`).html;
    expect(deep.match(/<div>/g)).toHaveLength(200);
    expect(deep).toMatch(/deep(?:<\/div>)+<p>after<\/p>$/);
  });
});

describe("hostile pages of 1 MB", () => {
  const megabyte = 1_000_000;
  const names = (count: number): string =>
    Array.from({ length: count }, (_, n) => `a${n}`).join(" ");
  it.each<[what: string, page: string]>([
    ["deep nesting", "<div>".repeat(megabyte / 5)],
    ["deep nesting that end tags of nothing hide", "<div></x>".repeat(megabyte / 9)],
    ["bold words in cells", "<table><tr><td>" + "<b>a</b><strong>".repeat(megabyte / 16)],
    ["deep nesting of words", "<b><i>".repeat(megabyte / 6)],
    ["furniture in furniture", "<header>".repeat(megabyte / 8)],
    [
      "end tags that close nothing",
      "<div>".repeat(megabyte / 10) + "</p></x>".repeat(megabyte / 16),
    ],
    ["marks that are never closed", '<b x="1"><p>'.repeat(megabyte / 12)],
    ["an element with 150,000 attributes", `<p ${names(megabyte / 7)}>word</p>`],
    ["attributes that a quoted > hides", `<p x=">" ${names(megabyte / 7)}>word</p>`],
    ["an attribute of 1 MB", `<p role="${"x".repeat(megabyte)}">word</p>`],
    ["tables in tables", "<table><tr><td>".repeat(megabyte / 15)],
  ])("%s are read within 3 s of CPU time", async (_what, page) => {
    const before = process.threadCpuUsage();
    expect((await parse("a.html", `<p>The start.</p>${page}`)).text).toContain("The start.");
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  it("take linear time, whatever is repeated", async () => {
    const more = ["<p>", "<li>", "<td>", "<tr>", "<b><p>", "<svg>", "<div></x>", "<p a", "<nav>"];
    expect(await findSlowTexts(parseHtml, 64_000, more)).toEqual([]);
  });
});
