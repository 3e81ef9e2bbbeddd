import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import { makeDocx } from "../../test/fixtures/make-docx.ts";
import { makePdf, makeTextPdf } from "../../test/fixtures/make-pdf.ts";
import { parseFile } from "./parse-file.ts";
import { UnreadableError } from "./parsed-document.ts";
import { rectanglesFor } from "./rectangles.ts";

const parse = (filename: string, content: string | Uint8Array, mime: string | null = null) =>
  parseFile({
    bytes: typeof content === "string" ? Buffer.from(content) : content,
    filename,
    mime,
  });
const reason = async (filename: string, content: string | Uint8Array): Promise<string> => {
  const fault: unknown = await parse(filename, content).then(
    () => null,
    (e: unknown) => e,
  );
  expect(fault).toBeInstanceOf(UnreadableError);
  return (fault as UnreadableError).message;
};
const headingsOf = (parsed: {
  text: string;
  headings: { start: number; title: string; level: number }[];
}) =>
  parsed.headings.map((heading) => {
    expect(parsed.text.slice(heading.start)).toContain(heading.title.slice(0, 5));
    return `${heading.level} ${heading.title}`;
  });

describe("text and its encodings", () => {
  it("reads UTF-8 with and without a byte order mark, UTF-16 in both byte orders, and Latin-1", async () => {
    const text = "Grüße aus Köln, 10 €";
    const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
      Buffer.from(text, "utf16le"),
    ]) {
      expect((await parse("a.txt", bytes)).text).toBe(text);
    }
    expect((await parse("a.txt", Buffer.from("Grüße aus Köln", "latin1"))).text).toBe(
      "Grüße aus Köln",
    );
  });
  it("normalises newlines and drops what PostgreSQL cannot store", async () => {
    expect((await parse("a.txt", "one\r\ntwo\rthree\n")).text).toBe("one\ntwo\nthree");
  });
  it("accepts text under an unknown extension, and a name without one", async () => {
    expect((await parse("notes.xyz", "Call the plumber.")).format).toBe("text");
    expect((await parse("LICENSE", "Permission is hereby granted")).format).toBe("text");
  });
});

describe("Markdown", () => {
  it("finds both kinds of headings, but not inside code", async () => {
    const parsed = await parse(
      "a.md",
      "# One\n\ntext\n\nTwo\n---\n\n```sh\n# not a heading\n```\n\n### Th*re*e ###\nend",
    );
    expect(
      headingsOf({ ...parsed, headings: parsed.headings.filter((h) => h.title !== "Three") }),
    ).toEqual(["1 One", "2 Two"]);
    expect(parsed.headings.at(-1)).toMatchObject({ level: 3, title: "Three" });
  });
});

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

describe("CSV and JSON", () => {
  it("turns rows into header: value lines, whatever the delimiter", async () => {
    expect((await parse("a.csv", 'name,age\n"Lovelace, Ada",36\nAlan,41')).text).toBe(
      "name: Lovelace, Ada\nage: 36\n\nname: Alan\nage: 41",
    );
    expect((await parse("a.csv", "name;age\nAda;36")).text).toBe("name: Ada\nage: 36");
    expect((await parse("a.tsv", "name\tage\nAda\t36")).text).toBe("name: Ada\nage: 36");
  });
  it("keeps a broken CSV as lines", async () => {
    expect((await parse("a.csv", 'a,b\n"never closed,1')).text).toContain("never closed");
  });
  it("flattens JSON, turns lists of objects into paragraphs, and reads JSON Lines", async () => {
    expect((await parse("a.json", '{"a":{"b":[1,"x"]},"c":null}')).text).toBe(
      "a.b: 1\na.b: x\nc: null",
    );
    expect((await parse("a.json", '[{"n":"Ada"},{"n":"Alan"}]')).text).toBe("n: Ada\n\nn: Alan");
    expect((await parse("a.json", '{"n":"Ada"}\n{"n":"Alan"}')).text).toBe("n: Ada\n\nn: Alan");
  });
  it("reads broken JSON as text, and JSON nested deeper than the stack", async () => {
    await expect(parse("a.json", '{"n": "Ada",')).rejects.toThrow(
      "The JSON file is damaged or cut off: it cannot be read on from line 1.",
    );
    expect((await parse("a.jsonl", '{"n": "Ada",')).text).toBe('{"n": "Ada",');
    expect((await parse("a.json", `${"[".repeat(3000)}"deep"${"]".repeat(3000)}`)).text).toContain(
      "deep",
    );
  });
});

describe("PDF", () => {
  it("returns text, pages, headings by font size, joined hyphenation, and rectangles where the words are", async () => {
    const parsed = await parse(
      "a.pdf",
      makeTextPdf([
        {
          title: "Evacuation",
          lines: ["In case of fire leave by the near-", "est exit at once.", "Do not use lifts."],
        },
        { title: "Extinguishers", lines: ["They hang in every corridor."] },
      ]),
    );
    expect(parsed.text).toBe(
      "Evacuation\n\nIn case of fire leave by the nearest exit at once.\nDo not use lifts.\n\nExtinguishers\n\nThey hang in every corridor.".replace(
        "nearest exit",
        "nearest exit",
      ),
    );
    expect(headingsOf(parsed)).toEqual(["1 Evacuation", "1 Extinguishers"]);
    expect(parsed.pages.map((page) => page.page)).toEqual([1, 2]);
    const at = parsed.text.indexOf("use lifts");
    const [rectangle, ...others] = rectanglesFor(parsed.pages, at, at + "use lifts".length);
    expect(others).toEqual([]);
    expect(rectangle).toMatchObject({ page: 1 });
    expect(rectangle!.x).toBeGreaterThan(95);
    expect(rectangle!.y).toBeGreaterThan(655);
    expect(rectangle!.y + rectangle!.height).toBeLessThan(675);
    const both = rectanglesFor(parsed.pages, 0, parsed.text.length);
    expect(new Set(both.map((r) => r.page))).toEqual(new Set([1, 2]));
    expect(both).toHaveLength(6);
  });
  it("reads 100 pages in a few seconds", async () => {
    const started = performance.now();
    const parsed = await parse(
      "a.pdf",
      makeTextPdf(
        Array.from({ length: 100 }, (_, i) => ({
          title: `Chapter ${i}`,
          lines: Array.from(
            { length: 40 },
            (_l, l) => `Line ${l} of chapter ${i} with some more words on it`,
          ),
        })),
      ),
    );
    expect(parsed.pages).toHaveLength(100);
    expect(performance.now() - started).toBeLessThan(15_000);
  }, 90_000);
  it("reports a protected, damaged, cut-off or textless file", async () => {
    const whole = makeTextPdf([{ lines: ["Some text that would be readable"] }]);
    expect(
      await reason("a.pdf", makePdf([[{ text: "x", x: 1, y: 1, size: 9 }]], { encrypt: true })),
    ).toBe("The PDF is protected with a password.");
    expect(
      await reason(
        "a.pdf",
        Buffer.concat([
          Buffer.from("%PDF-1.7\n"),
          Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 37) % 251)),
        ]),
      ),
    ).toBe("The PDF is damaged or cut off.");
    expect(await reason("a.pdf", whole.subarray(0, 60))).toBe("The PDF is damaged or cut off.");
    expect(await reason("scan.pdf", makePdf([[]]))).toBe("No text content found in scan.pdf.");
  });
  it("is detected under a wrong name and behind stray bytes", async () => {
    const pdf = makeTextPdf([{ lines: ["Hello there"] }]);
    expect((await parse("notes.txt", pdf)).text).toBe("Hello there");
    expect((await parse("a.pdf", Buffer.concat([Buffer.from("\n\n"), pdf]))).text).toBe(
      "Hello there",
    );
  });
});

describe("DOCX", () => {
  it("keeps headings and paragraphs", async () => {
    const parsed = await parse(
      "a.docx",
      await makeDocx([
        { text: "Policy", style: "Heading1" },
        { text: "Wear a badge & smile." },
        { text: "Visitors", style: "Heading2" },
        { text: "They sign in." },
      ]),
    );
    expect(parsed.text).toBe("Policy\n\nWear a badge & smile.\n\nVisitors\n\nThey sign in.");
    expect(headingsOf(parsed)).toEqual(["1 Policy", "2 Visitors"]);
  });
  it("refuses a zip bomb, a cut-off file, an unrelated zip and an encrypted file, each with its reason", async () => {
    expect(
      await reason("a.docx", await makeDocx([{ text: "x" }], { padding: 151 * 1024 * 1024 })),
    ).toBe("The Word document unpacks to more than 150 MB, the most that is read.");
    const whole = await makeDocx([{ text: "Hello ".repeat(500) }]);
    expect(await reason("a.docx", whole.subarray(0, whole.length / 2))).toBe(
      "The Word document is damaged or cut off.",
    );
    expect(
      await reason(
        "a.docx",
        await new JSZip().file("a.bin", "x").generateAsync({ type: "nodebuffer" }),
      ),
    ).toBe("The file is a zip archive without a Word document inside.");
    expect(
      await reason(
        "a.docx",
        Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2048)]),
      ),
    ).toBe("The Word document is damaged or cut off.");
    expect(await reason("a.docx", await makeDocx([], { body: "<w:p><w:unclosed>" }))).toBe(
      "The Word document is damaged or cut off.",
    );
    expect(await reason("empty.docx", await makeDocx([]))).toBe(
      "No text content found in empty.docx.",
    );
  }, 60_000);
});

describe("files that are empty, mislabelled or not text", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const binary = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256));
  it.each([
    ["empty.txt", Buffer.alloc(0), "No text content found in empty.txt."],
    ["blank.md", Buffer.from(" \n\t\n "), "No text content found in blank.md."],
    ["marks.txt", Buffer.from("--- ... !!!"), "No text content found in marks.txt."],
    ["empty.json", Buffer.alloc(0), "No text content found in empty.json."],
    ["empty.pdf", Buffer.alloc(0), "No text content found in empty.pdf."],
    [
      "page.html",
      Buffer.from("<html><script>1</script></html>"),
      "No text content found in page.html.",
    ],
    [
      "archive.txt",
      Buffer.concat([Buffer.from("1f8b0800", "hex"), binary]),
      "The file is named .txt but holds application/gzip, which cannot be parsed.",
    ],
    [
      "data.bin",
      binary,
      "File extension .bin not supported for parsing and cannot be assumed as text file type.",
    ],
    [
      "program",
      Buffer.concat([Buffer.from("\x7fELF"), binary]),
      "File extension (none) not supported for parsing and cannot be assumed as text file type.",
    ],
    [
      "nul.csv",
      binary,
      "File extension .csv not supported for parsing and cannot be assumed as text file type.",
    ],
    ["noise.docx", binary, "The Word document is damaged or cut off."],
    ["noise.pdf", binary, "The PDF is damaged or cut off."],
  ])("%s", async (filename, bytes, words) => {
    expect(await reason(filename, bytes)).toBe(words);
  });
  it("requests recognition of a picture under any name, and transcription of a recording", async () => {
    const wave = Buffer.concat([
      Buffer.from("RIFF"),
      Buffer.from([36, 0, 0, 0]),
      Buffer.from("WAVEfmt "),
      Buffer.alloc(28),
    ]);
    await expect(parse("picture.txt", png)).rejects.toMatchObject({
      name: "NeedsLaterWork",
      work: "recognition",
      pages: 1,
    });
    await expect(parse("speech.wav", wave)).rejects.toMatchObject({
      name: "NeedsLaterWork",
      work: "transcription",
    });
  });
  it("reads a web page named .pdf as a web page", async () => {
    expect(await parse("a.pdf", "<!doctype html><p>Not found</p>")).toMatchObject({
      format: "html",
      text: "Not found",
    });
  });
});
