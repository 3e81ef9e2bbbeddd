import { expect, it } from "@jest/globals";
import { makeRawWorkbook, type RawCell } from "../../test/fixtures/make-raw-workbook.ts";
import { parse } from "../../test/parse.ts";

const march = 45355; // 2024-03-04

const shown: [shown: string, cell: RawCell][] = [
  // Long numbers keep their digits.
  ["4006381333931", 4006381333931],
  ["123456789012345", 123456789012345],
  ["-123456789012345", -123456789012345],
  ["123456789012.5", 123456789012.5],
  ["4006381333931", { v: 4006381333931, z: "@" }],
  ["EAN 4006381333931", { v: 4006381333931, z: '"EAN "General' }],
  ["4006381333931", { v: 4006381333931, z: "0" }],
  ["00042", { v: 42, z: "00000" }],
  ["01067", { v: 1067, z: "00000" }],
  ["0049 30 1234", "0049 30 1234"],
  ["DE44500105175407324931", "DE44500105175407324931"],
  ["0.3", 0.30000000000000004],
  ["0.00001234", 0.00001234],
  ["1234567.891", 1234567.891],
  // Other formats as shown.
  ["4.01E+12", { v: 4006381333931, z: "0.00E+00" }],
  ["12.5%", { v: 0.125, z: "0.0%" }],
  ["€ 1,234.50", { v: 1234.5, z: '"€ "#,##0.00' }],
  ["1,234.50 €", { v: 1234.5, z: "#,##0.00\\ [$€-407]" }],
  ["$1,234.50", { v: 1234.5, z: "[$$-409]#,##0.00" }],
  ["(5.00)", { v: -5, z: "0.00_);(0.00)" }],
  ["1 1/2", { v: 1.5, z: "# ?/?" }],
  ["12 kg", { v: 12, z: '0 "kg"' }],
  ["TRUE", { v: 1, t: "b" }],
  ["#DIV/0!", { v: "#DIV/0!", t: "e" }],
  // Dates.
  ["2024-03-04", { v: march, z: "m/d/yy" }],
  ["2024-03-04", { v: march, z: "dd/mm/yyyy" }],
  ["2024-03-04", { v: march, z: "[$-407]d. mmmm yyyy" }],
  ["2024-03-04", { v: march, z: "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy" }],
  ["2024-03-04", { v: march, z: "dd\\.mm\\.yy;@" }],
  ["2024-03-04", { v: march, z: 'yyyy"年"m"月"d"日"' }],
  ["2024-03-04", { v: march, z: "d/m" }],
  ["2024-03-04 14:30", { v: march + 14.5 / 24, z: "m/d/yy h:mm" }],
  ["2024-03-04 14:30", { v: march + 14.5 / 24, z: "d.m.yyyy h:mm AM/PM" }],
  ["2024-03-04 14:30:00", { v: march + 14.5 / 24, z: "yyyy-mm-dd hh:mm:ss" }],
  ["2024-03", { v: march, z: "mmm-yy" }],
  ["2024-03", { v: march, z: "mm/yyyy" }],
  ["March 2024", { v: march, z: "mmmm yyyy" }],
  ["4-Mar", { v: march, z: "d-mmm" }],
  ["2024", { v: march, z: "yyyy" }],
  ["14:30", { v: 14.5 / 24, z: "h:mm" }],
  ["30:00", { v: 1.25, z: "[h]:mm" }],
  ["30:00:00", { v: 1.25, z: "[hh]:mm:ss" }],
  ["03/04/2024", "03/04/2024"],
];

it("shows a cell as people see it, with all digits and unambiguous dates", async () => {
  const { text } = await parse(
    "a.xlsx",
    makeRawWorkbook([
      { rows: [["What", "Value"], ...shown.map(([, cell], i) => [`row ${i}`, cell])] },
    ]),
  );
  const values = [...text.matchAll(/^Value: (.*)$/gm)].map(([, value]) => value);
  expect(values).toEqual(shown.map(([value]) => value));
});

it("reads dates that count from 1904", async () => {
  const book = makeRawWorkbook([{ rows: [["Day"], [{ v: march - 1462, z: "m/d/yy" }]] }], {
    date1904: true,
  });
  expect((await parse("a.xlsx", book)).text).toBe("Day\n2024-03-04");
});
