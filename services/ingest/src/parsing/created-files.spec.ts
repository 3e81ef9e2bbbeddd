import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import sax from "sax";
import { createFile, hostile, markdown, presentation, workbook } from "../../test/created-files.ts";
import { headingsOf, parse } from "../../test/parse.ts";

/** What the created file says when Carrel reads it as a document. */
async function readBack(tool: string, input: unknown) {
  const file = await createFile(tool, input);
  return { ...file, parsed: await parse(file.name, file.bytes, file.mime) };
}

/** Reads every part of an Office file as XML, and returns the addresses that it refers to. */
async function checkParts(bytes: Uint8Array): Promise<string[]> {
  const zip = await JSZip.loadAsync(bytes);
  const addresses: string[] = [];
  for (const part of zip.file(/\.(xml|rels)$/)) {
    const xml = await part.async("string");
    const parser = sax.parser(true);
    parser.onerror = (error) => {
      throw new Error(`${part.name}: ${error.message}`);
    };
    parser.write(xml).close();
    for (const [, target] of xml.matchAll(/Target="([^"]*)"[^>]*TargetMode="External"/g))
      addresses.push(target!);
  }
  return addresses;
}

describe("created files, read by Carrel", () => {
  it("reads a PDF with its headings, tables, code and scripts", async () => {
    const { parsed, text } = await readBack("create-pdf-file", {
      name: "Report",
      content: markdown,
    });
    expect(text).toContain('"Report.pdf" (1 page');
    for (const words of [
      "12 %",
      "Ελληνικά και",
      "Кириллица, Việt Nam",
      hostile.slice(0, 20),
      "1,200",
      "Nested one",
      "const x = 1; // code",
      "with a picture",
    ])
      expect(parsed.text.replace(/\s+/g, " ")).toContain(words);
    expect(parsed.text).toContain("Quarterly report");
  });

  it("keeps the order of a PDF of many pages, with long words, tables and lists", async () => {
    const sections = Array.from(
      { length: 25 },
      (_, index) => `## Section ${index}\n\n${`word${index} `.repeat(120)}`,
    );
    const table = `| a | b |\n| - | - |\n${Array.from({ length: 40 }, (_, index) => `| cell${index} | ${"x".repeat(index * 8)} |`).join("\n")}`;
    const { parsed } = await readBack("create-pdf-file", {
      name: "Long",
      title: "Long",
      content: `${sections.join("\n\n")}\n\n${table}`,
    });
    const places = Array.from({ length: 25 }, (_, index) => parsed.text.indexOf(`word${index} `));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    expect(parsed.text).toContain("cell39");
  });

  it("reads a Word file", async () => {
    const { parsed, bytes } = await readBack("create-docx-file", {
      name: "Report",
      title: "Report",
      content: `${markdown}\n\n中文 العربية`,
    });
    expect(headingsOf(parsed)).toEqual(expect.arrayContaining(["1 Quarterly report", "2 Results"]));
    for (const words of [hostile, "中文 العربية", "Nested one", "const x = 1; // code"])
      expect(parsed.text).toContain(words);
    expect(await checkParts(bytes)).toEqual([
      "https://example.com/de?a=1&amp;b=2",
      "https://tracker.example/pixel.png",
    ]);
  });

  it("reads a workbook: text stays text, and formulas are where the model wanted them", async () => {
    const { parsed, bytes } = await readBack("create-excel-file", workbook);
    for (const words of ["2026-01-02", "=cmd|' /C calc'!A0", "12.5", "007"])
      expect(parsed.text).toContain(words);
    await checkParts(bytes);
    const sheet = await (
      await JSZip.loadAsync(bytes)
    )
      .file("xl/worksheets/sheet1.xml")!
      .async("string");
    expect(Array.from(sheet.matchAll(/<f>(.*?)<\/f>/g), ([, formula]) => formula)).toEqual([
      "C2*2",
      "SUM(C2:C3)",
    ]);
    expect(sheet).toContain('state="frozen"');
  });

  it("reads a presentation with titles, points, notes, tables and charts", async () => {
    const { parsed, bytes } = await readBack("create-pptx-presentation", presentation);
    for (const words of [
      "Review of 2026",
      "First point with a link after it",
      "nested",
      `Say ${hostile}`,
      "Row 39",
      "Point 59",
      "A radar chart",
      "Revenue",
    ])
      expect(parsed.text).toContain(words);
    expect(await checkParts(bytes)).toEqual(["https://example.com/?a=1&amp;b=2"]);
    for (const slide of (await JSZip.loadAsync(bytes)).file(/^ppt\/slides\/slide\d+\.xml$/))
      expect(await slide.async("string")).not.toMatch(/<\/a:r><a:pPr/);
  });

  it("reads text files", async () => {
    const csv = await readBack("create-text-file", {
      name: "a.csv",
      content: "Name,Größe\n=1+1,2\n",
    });
    expect(csv.parsed.text).toContain("'=1+1");
    expect(csv.parsed.text).toContain("Größe");
    const page = await readBack("create-text-file", {
      filename: "a.html",
      text: "<h1>Title</h1><p>Text",
    });
    expect(page.parsed.text).toContain("Title");
  });

  it.each([
    ["create-pdf-file", { name: "a", content: "日本語" }, /create-docx-file/],
    ["create-pdf-file", { name: "a", content: "# x\n\n".repeat(9_000) }, /more than 500 pages/],
    ["create-docx-file", { name: "a", content: "x".repeat(1_000_001) }, /longer than 1,000,000/],
    [
      "create-pdf-file",
      { name: "a", content: `|${"a|".repeat(30)}\n|${"-|".repeat(30)}` },
      /at most 20/,
    ],
    [
      "create-excel-file",
      {
        name: "a",
        sheets: [{ name: "s", columns: ["a"], rows: [[{ formula: '=WEBSERVICE("x")' }]] }],
      },
      /isn't allowed/,
    ],
    ["create-text-file", { name: "a.exe", content: "" }, /can't be created/],
  ])("%s says what it can't do", async (tool, input, message) => {
    await expect(createFile(tool, input)).rejects.toThrow(message);
  });

  it.each([
    [
      "deep lists",
      `${Array.from({ length: 60 }, (_, index) => `${"  ".repeat(index)}- x${index}`).join("\n")}`,
    ],
    ["deep quotes", `${">".repeat(300)} deep`],
    ["many markers", "**a ".repeat(20_000)],
    ["broken tables", "| a |\n| --- | --- |\n| 1 | 2 | 3 |"],
    ["nothing", ""],
    ["control characters", "a\0b\u0008\uD800c\u202Ed"],
  ])("writes %s", async (_what, content) => {
    for (const tool of ["create-pdf-file", "create-docx-file"]) {
      const { bytes, name, mime } = await createFile(tool, { name: "a", content });
      if (content !== "") expect((await parse(name, bytes, mime)).text.length).toBeGreaterThan(0);
    }
  });
});
