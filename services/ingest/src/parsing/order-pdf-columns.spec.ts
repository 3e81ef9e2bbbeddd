import { describe, expect, it } from "@jest/globals";
import { makeRawPdf, paintText } from "../../test/fixtures/make-raw-pdf.ts";
import { parse } from "../../test/parse.ts";

const left = [
  "The keeper lights the lamp",
  "at dusk and keeps a log",
  "of every vessel that passes",
  "the sound by day or night.",
];
const right = [
  "In fog the horn sounds two",
  "times a minute, and a boat",
  "is kept ready for use on",
  "the northern slipway.",
];
const third = [
  "On Sundays the pilot rows",
  "across with bread, letters",
  "and the oil that the lamp",
  "burns in a single week.",
];
type Line = { x: number; y: number; text: string };
/** Writes rows of cells across the page, as a program does that knows no columns. */
const rowwise = (columns: string[][], xs: number[], { lower = 0, top = 780 } = {}): Line[] =>
  columns[0]!.flatMap((_, row) =>
    columns.flatMap((column, i) =>
      column[row] === undefined
        ? []
        : [{ x: xs[i]!, y: top - 14 * row - (i > 0 ? lower : 0), text: column[row] }],
    ),
  );
const read = async (lines: Line[]): Promise<string> =>
  (await parse("a.pdf", makeRawPdf({ content: paintText(lines) }))).text;
const paragraph = (lines: string[]): string => lines.join("\n");

describe("columns written line by line", () => {
  it.each<[string, Line[], string[][]]>([
    ["two", rowwise([left, right], [60, 320]), [left, right]],
    [
      "two of unequal length",
      rowwise([left, right.slice(0, 3)], [60, 320]),
      [left, right.slice(0, 3)],
    ],
    [
      "two with different baselines",
      rowwise([left, right], [60, 320], { lower: 6 }),
      [left, right],
    ],
    ["two with a narrow gap", rowwise([left, right], [60, 212]), [left, right]],
    ["three", rowwise([left, right, third], [40, 220, 400]), [left, right, third]],
  ])("%s are read one after the other", async (_, lines, columns) => {
    expect(await read(lines)).toBe(columns.map(paragraph).join("\n\n"));
  });

  it("continue a sentence and a divided word at the top of the next one", async () => {
    const first = [...left.slice(0, 3), "the sound, and no har-"];
    const second = ["bour master may ask for it", ...right.slice(1)];
    expect(await read(rowwise([first, second], [60, 320]))).toContain(
      "the sound, and no harbour master may ask",
    );
  });

  it("stay between lines that cross them", async () => {
    const title = "A title that reaches over both of the columns below it, as titles do";
    const lines = [
      { x: 60, y: 810, text: title },
      ...rowwise([left, right], [60, 320]),
      { x: 60, y: 700, text: `${title} in a paragraph` },
    ];
    expect(await read(lines)).toBe(
      [title, paragraph(left), paragraph(right), `${title} in a paragraph`].join("\n\n"),
    );
  });

  it("are printed with spaces between them", async () => {
    const content = left
      .map((text, i) => `BT /F3 10 Tf 40 ${780 - i * 12} Td (${text.padEnd(40)}${right[i]}) Tj ET`)
      .join("\n");
    const pdf = makeRawPdf({
      content,
      objects: ["<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"],
    }).toString("latin1");
    const text = (
      await parse("a.pdf", Buffer.from(pdf.replace("/F2 6 0 R", "/F3 10 0 R"), "latin1"))
    ).text;
    expect(text).toBe(`${paragraph(left)}\n\n${paragraph(right)}`);
  });

  it("cells of several lines are read cell by cell", async () => {
    const cells = [left, right, third, left, right, third];
    const lines = [0, 1, 2].flatMap((row) =>
      rowwise([cells[row * 2]!, cells[row * 2 + 1]!], [60, 320], { top: 780 - row * 80 }),
    );
    expect(await read(lines)).toBe(cells.map(paragraph).join("\n\n"));
  });
});

describe("what is no column", () => {
  const table = (rows: string[][], xs: number[]): Line[] =>
    rows.flatMap((row, i) => row.map((text, k) => ({ x: xs[k]!, y: 780 - 16 * i, text })));
  const cases: Record<string, string[][]> = {
    numbers: Array.from({ length: 8 }, (_, i) => [`Sack of salt ${i}`, `${i * 12}.50`]),
    names: [
      ["Name", "Port", "Trade"],
      ["Lysander Moot", "Skarnholm", "rope maker"],
      ["Otto Lund", "Brask", "net mender"],
      ["Ilse Varga", "Vyun", "pilot of the sound"],
      ["Tove Pell", "Halcyon", "keeper of the light"],
    ],
    "words in small letters": [
      ["red apples", "green pears"],
      ["salt herring", "fresh cod"],
      ["rope and tar", "nets and hooks"],
      ["lamp oil", "candles"],
      ["coal", "wood"],
    ],
    "a form": [
      ["Name of the owner:", "the widow of the miller"],
      ["Port of registry:", "the northern slipway"],
      ["Class of the vessel:", "trawler of class nine"],
      ["Cargo on arrival:", "salt and some herring"],
    ],
    contents: Array.from({ length: 6 }, (_, i) => [
      `the chapter about harbours ${".".repeat(30 - i)}`,
      `${i * 7 + 1}`,
    ]),
    questions: Array.from({ length: 5 }, (_, i) => [
      `What does rule ${i} of the port say?`,
      `Rule ${i} says that ships wait outside.`,
    ]),
  };
  it.each(Object.entries(cases))("%s stay in rows", async (_, rows) => {
    expect(await read(table(rows, [60, 300, 440]))).toBe(
      rows.map((row) => row.join(" ")).join("\n"),
    );
  });

  it("columns that were written one after the other stay as they are", async () => {
    const lines = [left, right].flatMap((column, i) => rowwise([column], [60 + i * 260]));
    expect(await read(lines)).toBe(`${paragraph(left)}\n\n${paragraph(right)}`);
  });
});
