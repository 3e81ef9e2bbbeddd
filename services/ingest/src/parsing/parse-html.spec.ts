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
    ).toBe("a: 1\nb: 2\n\na: 1\nb: 3");
  });

  const rowsOf = (...rows: string[]): string =>
    `<table>${rows.map((row) => `<tr>${row.replace(/[^|]+/g, "<td>$&</td>").replaceAll("|", "")}</tr>`).join("")}</table>`;
  const bold = "<b>Day</b>|<b>Who</b>|<p><strong>What</strong></p>";

  it.each([
    [
      "a column of numbers below it",
      rowsOf("Flat|Size|Note", "A|48|quiet", "B|62 m²|sunny"),
      "Flat: A\nSize: 48\nNote: quiet\n\nFlat: B\nSize: 62 m²\nNote: sunny",
    ],
    [
      "bold type",
      rowsOf(bold, "Mon|Ada|<b>bins</b>", "Tue|Ben|stairs"),
      "Day: Mon\nWho: Ada\nWhat: bins\n\nDay: Tue\nWho: Ben\nWhat: stairs",
    ],
  ])("knows an unmarked header row by %s", async (_, html, text) => {
    expect((await parse("a.html", html)).text).toBe(text);
  });

  it.each([
    ["only two rows", rowsOf("Flat|Size|Note", "A|48|quiet")],
    ["only words", rowsOf("Mon|Ada|bins", "Tue|Ben|stairs", "Wed|Cleo|yard")],
    ["bold type throughout", rowsOf(bold, "<b>Mon</b>|<b>Ada</b>|<b>bins</b>", "Tue|Ben|yard")],
    ["a first row with numbers", rowsOf("A|48|quiet", "B|62|sunny", "C|70|damp")],
    ["a gap in each column of numbers", rowsOf("Flat|Size|Note", "A|48|quiet", "B|?|1st floor")],
    ["a repeated name", rowsOf("Size|Size|Note", "1|48|quiet", "2|62|sunny")],
    ["an empty name", rowsOf(" |Size|Note", "A|48|quiet", "B|62|sunny")],
    ["a sentence", rowsOf(`${"So it goes on ".repeat(5)}|Size|Note`, "A|48|quiet", "B|62|sunny")],
    ["an uneven row", rowsOf("Flat|Size|Note", "A|48", "B|62|sunny")],
    [
      "a wide cell",
      rowsOf("Flat|Size|Note", "A|48|quiet", "B|62|sunny").replace("<td>A", '<td colspan="2">A'),
    ],
    [
      "names of rows",
      rowsOf("Flat|Size|Note", "A|48|quiet", "B|62|sunny").replace("<td>A</td>", "<th>A</th>"),
    ],
  ])("keeps a table with %s as it is", async (_, html) => {
    const { text } = await parse("a.html", html);
    expect(text.split("\n")).toHaveLength(html.split("<tr>").length - 1);
    expect(text).toContain(" | ");
  });

  it("keeps a row on one line if each cell is one paragraph", async () => {
    const row = (...cells: string[]): string =>
      `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr></table>`;
    expect(
      (
        await parse(
          "a.html",
          row("<p>Flat <b>A</b></p>", " <div><p>48</p>\n</div> ", "<p></p>", "<p>x</p>"),
        )
      ).text,
    ).toBe("Flat A | 48 |  | x");
    expect((await parse("a.html", row("<p>One</p><p>Two</p>", "a<p>b</p>"))).text).toBe(
      "One\n\nTwo\n\n | a\n\nb",
    );
    const deep = 20_000;
    expect(
      (await parse("a.html", row("a", `${"<div>".repeat(deep)}b${"</div>".repeat(deep)}`))).text,
    ).toBe("a | b");
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
