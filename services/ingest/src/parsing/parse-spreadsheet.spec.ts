import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import { makeOdf, makeWorkbook } from "../../test/fixtures/make-office.ts";
import { parse, place } from "../../test/parse-recognised.ts";

describe("spreadsheets", () => {
  const sheets = {
    Staff: [
      ["Company list 2026", null],
      ["Name", "Age", "City"],
      ["Ada", 36, "London"],
      ["Alan", null, "Wilmslow"],
    ],
    Rent: [
      ["Month", "Euro"],
      ["May", 1200],
    ],
    Empty: [],
  };
  it.each(["xlsx", "xls", "ods", "xlsb"] as const)(
    "%s: a part for each sheet with text, rows with their column names",
    async (kind) => {
      const parsed = await parse(`book.${kind}`, await makeWorkbook(sheets, kind));
      expect(parsed.parts!.map(({ name, text }) => ({ name, text }))).toEqual([
        {
          name: "Staff",
          text: "Company list 2026\n\nName: Ada\nAge: 36\nCity: London\n\nName: Alan\nCity: Wilmslow",
        },
        { name: "Rent", text: "Month: May\nEuro: 1200" },
      ]);
      expect(parsed.text).toContain("Rent\n\nMonth: May");
      expect(place(parsed, "Euro: 1200").path).toEqual(["Rent"]);
      expect(parsed.docSource).toMatch(/^a sheet of an /);
    },
  );

  it("reads only the filled cells of a sheet that claims a million rows and sixteen thousand columns", async () => {
    const zip = await JSZip.loadAsync(
      await makeWorkbook(
        {
          S: [
            ["Item", "Count"],
            ["Bell", 3],
          ],
        },
        "xlsx",
      ),
    );
    const sheet = await zip.file("xl/worksheets/sheet1.xml")!.async("string");
    zip.file(
      "xl/worksheets/sheet1.xml",
      sheet
        .replace('ref="A1:B2"', 'ref="A1:XFD1048576"')
        .replace('r="2"', 'r="1048576"')
        .replaceAll('A2"', 'A1048576"')
        .replaceAll('B2"', 'XFD1048576"'),
    );
    expect((await parse("a.xlsx", await zip.generateAsync({ type: "nodebuffer" }))).text).toBe(
      "Item: Bell\ncolumn 16384: 3",
    );
  }, 60_000);

  it("ODS: limits repeated cells and rows", async () => {
    const parsed = await parse(
      "a.ods",
      makeOdf(
        "spreadsheet",
        '<table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="1000000"/></table:table-row><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      ),
    );
    expect(parsed.text).toBe("a: x\nb: x");
  });
});
