import { describe, expect, it } from "@jest/globals";
import { PDFDocument } from "@napi-rs/canvas";
import { makeRawPdf } from "../../test/fixtures/make-raw-pdf.ts";
import { parse } from "../../test/parse.ts";
import { layOutPages } from "./lay-out-pdf.ts";
import { toPlainLetters } from "./order-pdf-directions.ts";
import type { PdfRun } from "./pdf-lines.ts";

const arabic = [
  "الربان يسكن في ميناء سكارنهولم",
  "رقم السفينة 4821 وسنة 1911",
  "لا أحد (حارس المنارة) هنا",
  "شركة Kestrel Line للنقل",
];
const hebrew = ["שומר המגדלור גר באי הצפוני", "מספר 4821 בשנת 1911", "עם חברת Kestrel Line (סניף)"];

/** Runs of one line at the places where they are seen, in the order in which they are given. */
const line = (pieces: [text: string, x: number, width: number][], y = 700): PdfRun[] =>
  pieces.map(([text, x, width], i) => ({
    text,
    x,
    y,
    width,
    height: 12,
    size: 12,
    endsLine: i === pieces.length - 1,
    upright: true,
  }));
const read = (runs: PdfRun[]): string => layOutPages([{ width: 595, height: 842, runs }]).text;

describe("text from right to left", () => {
  it.each([
    ["Arabic", arabic],
    ["Hebrew", hebrew],
  ])("%s is read from a PDF in logical order and in plain letters", async (_, lines) => {
    const document = new PDFDocument();
    const context = document.beginPage(595, 842);
    context.font = "16px DejaVu Sans";
    context.direction = "rtl";
    context.textAlign = "right";
    for (const [i, text] of lines.entries()) context.fillText(text, 540, 80 + i * 24);
    document.endPage();
    expect((await parse("a.pdf", document.close())).text).toBe(lines.join("\n"));
  });

  const word = (text: string, x: number): [string, number, number] => [text, x, 30];
  it.each([
    ["words in the order of their places", ["הצפוני", "באי", "גר", "שומר"], "שומר גר באי הצפוני"],
    ["numbers", ["1911", "בשנת", "4821", "מספר"], "מספר 4821 בשנת 1911"],
    ["foreign words", ["הצפונית", "Kestrel", "Line", "חברת"], "חברת Kestrel Line הצפונית"],
    ["brackets as they look", ["הנה", ")", "סניף", "(", "ראו"], "ראו ( סניף ) הנה"],
  ])("orders %s", (_, seen, expected) => {
    const pieces = seen.map((text, i) => word(text, 100 + i * 40));
    expect(read(line(pieces))).toBe(expected);
    expect(read(line(pieces.toReversed()))).toBe(expected);
  });

  it("keeps the digits of a number that are runs of their own", () => {
    const pieces: [string, number, number][] = [
      ["4", 100, 6],
      ["8", 106, 6],
      [".", 112, 3],
      ["5", 115, 6],
      ["מספר", 130, 30],
    ];
    expect(read(line(pieces))).toBe("מספר 48.5");
  });

  it("keeps a line of another language, and orders the words quoted in it", () => {
    const pieces = ["The", "words", "עולם", "שלום", "mean", "hello"].map((text, i) =>
      word(text, 100 + i * 40),
    );
    const english = line([["Dues are paid at the harbour office every week", 100, 200]], 680);
    expect(read([...line(pieces), ...english])).toContain("The words שלום עולם mean hello");
  });

  it("replaces presentation forms and ligatures, and nothing else", () => {
    expect(toPlainLetters("\ufefb \ufe8e\ufedf \ufb01ve o\ufb03ce \ufb2a ½ ﷺ")).toBe(
      "لا ال five office \u05e9\u05c1 ½ صلى الله عليه وسلم",
    );
  });
});

describe("vertical Japanese", () => {
  const columns = ["灯台守は夕暮れに灯を", "ともし、海峡を通る船", "を帳面に記す。"];
  const whole = columns.join("");
  const hex = (text: string): string =>
    [...text].map((c) => c.codePointAt(0)!.toString(16).padStart(4, "0")).join("");

  it.each([
    ["in reading order", [0, 1, 2]],
    ["from left to right", [2, 1, 0]],
  ])("is read from right to left when written %s", async (_, order) => {
    const content = order
      .map((i) => `BT /F2 14 Tf ${500 - i * 22} 780 Td <${hex(columns[i]!)}> Tj ET`)
      .join("\n");
    const parsed = await parse("a.pdf", makeRawPdf({ content }));
    expect(parsed.text).toBe(whole);
    // The second character of the first column is below the first.
    const [, , x, y, width, height] = parsed.pages[0]!.runs;
    expect(x! + width! / 2).toBeCloseTo(500, 0);
    expect(y! + height!).toBeCloseTo(780, 0);
    expect(height).toBeGreaterThan(100);
  });

  it("is read when its characters are set one below the other", () => {
    const runs = columns.flatMap((column, i) =>
      [...column].flatMap((text, row) => line([[text, 500 - i * 22, 14]], 780 - row * 14)),
    );
    expect(read(runs)).toBe(whole);
  });
});
