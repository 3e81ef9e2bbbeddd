import { describe, expect, it } from "@jest/globals";
import { chartRows, numberOf, partsOf, seriesOf, toCsv, type ChartOutput } from "./chart-data.ts";

const chart = (rows: ChartOutput["rows"]): ChartOutput => ({
  type: "chart",
  chart: "bar",
  title: "t",
  rows,
});

describe("a chart's data", () => {
  it("has numbers in the forms that models write", () => {
    expect(["12", "1,200.5", "61 %", "$3", " ", "n/a", null, Number.NaN].map(numberOf)).toEqual([
      12,
      1200.5,
      61,
      3,
      null,
      null,
      null,
      null,
    ]);
  });
  it("has the fields with numbers as series", () => {
    const given = chart([
      { name: "A", note: "x", heat: 1 },
      { name: "B", heat: null, cost: "2" },
    ]);
    const series = seriesOf(given);
    expect(series).toEqual(["heat", "cost"]);
    expect(chartRows(given, series)).toEqual([
      { name: "A", values: [1, null] },
      { name: "B", values: [null, 2] },
    ]);
  });
  it("has parts of a whole by rows, or by the fields of a single row", () => {
    const parts = (rows: ChartOutput["rows"]) => {
      const given = chart(rows);
      const series = seriesOf(given);
      return partsOf(chartRows(given, series), series);
    };
    expect(parts([{ name: "A", v: 1 }, { name: "B", v: -2 }, { v: 3 }])).toEqual([
      { name: "A", value: 1 },
      { name: "3", value: 3 },
    ]);
    expect(parts([{ name: "all", a: 1, b: 2 }])).toEqual([
      { name: "a", value: 1 },
      { name: "b", value: 2 },
    ]);
  });
});

describe("a table as CSV", () => {
  it("quotes what has to be, and has no formulas", () => {
    expect(
      toCsv(
        ["name", 'a "b"'],
        [
          ["x, y", -1],
          ["=HYPERLINK(1)", "-2"],
          ["@a", null],
        ],
      ),
    ).toBe('name,"a ""b"""\r\n"x, y",-1\r\n\'=HYPERLINK(1),-2\r\n\'@a,');
  });
});
