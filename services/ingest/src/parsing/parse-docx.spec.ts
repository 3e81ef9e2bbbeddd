import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import { docxTable, makeDocx } from "../../test/fixtures/make-docx.ts";
import { parse, reason, headingsOf } from "../../test/parse.ts";

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

  it("repeats the names of a table's columns, though Word rarely marks header rows", async () => {
    const parseTable = async (rows: string[][], boldRows?: number): Promise<string> =>
      (await parse("a.docx", await makeDocx([], { body: docxTable(rows, boldRows) }))).text;
    expect(
      await parseTable([
        ["Flat", "Size", "Rent"],
        ["Oak", "48 m²", "€610"],
        ["Birch", "62 m²", "€790"],
      ]),
    ).toBe("Flat: Oak\nSize: 48 m²\nRent: €610\n\nFlat: Birch\nSize: 62 m²\nRent: €790");
    const duties = [
      ["Duty", "Week", "Person"],
      ["Stairs", "odd", "Ada"],
      ["Bins", "even", "Ben"],
    ];
    expect(await parseTable(duties, 1)).toBe(
      "Duty: Stairs\nWeek: odd\nPerson: Ada\n\nDuty: Bins\nWeek: even\nPerson: Ben",
    );
    expect(await parseTable(duties)).toBe(
      "Duty | Week | Person\nStairs | odd | Ada\nBins | even | Ben",
    );
    expect(
      await parseTable([
        ["Deposit", "€1,200"],
        ["Notice", "3 months"],
      ]),
    ).toBe("Deposit | €1,200\nNotice | 3 months");
  });

  it("refuses a zip bomb, a cut-off file, an unrelated zip and an encrypted file, each with its reason", async () => {
    expect(
      await reason("a.docx", await makeDocx([{ text: "x" }], { padding: 151 * 1024 * 1024 })),
    ).toBe("The Word document unpacks to more than the limit of 150 MB.");
    const whole = await makeDocx([{ text: "Hello ".repeat(500) }]);
    expect(await reason("a.docx", whole.subarray(0, whole.length / 2))).toBe(
      "The Word document is damaged or incomplete.",
    );
    expect(
      await reason(
        "a.docx",
        await new JSZip().file("a.bin", "x").generateAsync({ type: "nodebuffer" }),
      ),
    ).toBe("The file is a ZIP archive that doesn't contain a Word document.");
    expect(
      await reason(
        "a.docx",
        Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2048)]),
      ),
    ).toBe("The Word document is damaged or incomplete.");
    expect(await reason("a.docx", await makeDocx([], { body: "<w:p><w:unclosed>" }))).toBe(
      "The Word document is damaged or incomplete from line 1.",
    );
    expect(await reason("empty.docx", await makeDocx([]))).toBe(
      "No text content found in empty.docx.",
    );
  }, 60_000);
});
