import { describe, expect, it } from "@jest/globals";
import { documentFaults } from "../../../../test/document-faults.ts";
import { small } from "../../../../test/hostile-markdown.ts";
import { convertMarkdown } from "../worker/convert-markdown.ts";
import { filterHtml } from "../worker/convert.worker.ts";
import { sanitiseHtml } from "./sanitise-html.ts";

function render(html: string): HTMLElement {
  const box = document.createElement("div");
  box.append(sanitiseHtml(html, () => null));
  document.body.replaceChildren(box);
  return box;
}

describe("HTML of a document", () => {
  it.each(small.map(({ name, text }) => [name, text] as const))(
    "runs and loads nothing, as a page and as Markdown: %s",
    (_name, text) => {
      expect(documentFaults(render(text))).toEqual([]);
      expect(documentFaults(render(filterHtml(convertMarkdown(text))))).toEqual([]);
      expect((globalThis as { broken?: unknown }).broken).toBeUndefined();
    },
  );
  it("keeps what makes a document", () =>
    expect(
      render(
        '<h2>A</h2><ol start="3"><li>b</li></ol><table><tr><td colspan="2">c</td></tr></table><img alt="d" src="data:image/png;base64,AA==">',
      ).innerHTML,
    ).toBe(
      '<h2>A</h2><ol start="3"><li>b</li></ol><table><tbody><tr><td colspan="2">c</td></tr></tbody></table><img alt="d" src="data:image/png;base64,AA==">',
    ));
  it("opens links in a new tab and drops those that don't leave the page", () =>
    expect(
      render('<a href="https://example.org">a</a> <a href="#b">b</a> <a href="/api/x">c</a>')
        .innerHTML,
    ).toBe(
      '<a href="https://example.org" target="_blank" rel="noopener noreferrer nofollow">a</a> <a>b</a> <a>c</a>',
    ));
  it("replaces pictures from elsewhere by their description", () =>
    expect(
      render(
        '<p><img src="https://evil.test/p.png" alt="a boat"><img src="data:image/svg+xml,x"></p>',
      ).innerHTML,
    ).toBe("<p>a boat</p>"));
  it("leaves out the furniture of a page, as the parser does", () => {
    const article = `<article>${"Words of the article. ".repeat(9)}</article>`;
    expect(
      render(`<header>Top</header><nav>Menu</nav><main>${article}</main><footer>End</footer>`)
        .innerHTML,
    ).toBe(`<main>${article}</main>`);
    expect(
      render(`<header>Top</header><p>Text</p><aside>More</aside><footer>End</footer>`).innerHTML,
    ).toBe("<p>Text</p>");
  });
  it("limits the cells that one cell spans", () => {
    const box = render('<table><tr><td colspan="60000" rowspan="60000">x</td></tr></table>');
    const cell = box.querySelector("td")!;
    expect([cell.getAttribute("colspan"), cell.getAttribute("rowspan")]).toEqual(["100", "100"]);
  });
});
