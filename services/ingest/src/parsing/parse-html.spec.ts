import { describe, expect, it } from "@jest/globals";
import { parse, headingsOf } from "../../test/parse.ts";

describe("HTML", () => {
  it("keeps headings, lists and tables, and drops scripts, styles and navigation", async () => {
    const parsed = await parse(
      "a.html",
      `<!doctype html><html><head><title>T</title><style>p{}</style></head><body><nav>Home About</nav><header>Site</header>
      <h1>Fire <b>safety</b></h1><p>Keep  doors   closed,<br>always.</p><ul><li>One</li><li>Two</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
      <pre>x  y\n  z</pre><script>alert(1)</script><footer>Imprint</footer></body></html>`,
    );
    expect(parsed.text).toBe(
      "Fire safety\n\nKeep doors closed,\nalways.\n\n- One\n- Two\n\na: 1\nb: 2\n\nx  y\n  z",
    );
    expect(headingsOf(parsed)).toEqual(["1 Fire safety"]);
  });

  it("repeats column names with each row of a data table, and keeps other tables as they are", async () => {
    const table = (rows: string): string => `<table>${rows}</table>`;
    expect(
      (
        await parse(
          "a.html",
          table(
            '<thead><tr><th colspan="2">Name</th><th>Age</th></tr></thead><tr><td>Ada</td><td>Byron</td><td><p>36</p><p>years</p></td></tr>',
          ),
        )
      ).text,
    ).toBe("Name: Ada\nName: Byron\nAge: 36\nyears");
    expect(
      (
        await parse(
          "a.html",
          table("<tr><td>Name</td><td>Ada</td></tr><tr><td>Age</td><td>36</td></tr>"),
        )
      ).text,
    ).toBe("Name | Ada\nAge | 36");
    expect(
      (
        await parse(
          "a.html",
          table(
            '<tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr>',
          ),
        )
      ).text,
    ).toBe("a | b\n1 | 2\n3");
  });

  it("uses only the article if it holds most of the text", async () => {
    const parsed = await parse(
      "a.html",
      `<body><div>menu</div><article><h2>Story</h2><p>${"word ".repeat(50)}</p></article></body>`,
    );
    expect(parsed.text).not.toContain("menu");
  });

  it("reads the declared charset, and pages nested deeper than the stack", async () => {
    expect(
      (
        await parse(
          "a.html",
          Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', "latin1"),
        )
      ).text,
    ).toBe("Привет");
    expect(
      (await parse("a.html", `${"<div>".repeat(20_000)}deep${"</div>".repeat(20_000)}`)).text,
    ).toBe("deep");
  });
});
