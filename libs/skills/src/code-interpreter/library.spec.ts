import { afterAll, describe, expect, it } from "@jest/globals";
import { CodePool } from "./code-pool.ts";

const pool = new CodePool();
afterAll(() => pool.close());

/** The values of expressions, in one run. */
async function values(expressions: string[], input = ""): Promise<unknown> {
  const { value, fault } = await pool.run(
    { code: `[${expressions.join(",\n")}]`, input, files: [] },
    new AbortController().signal,
  );
  expect(fault).toBeNull();
  return JSON.parse(value ?? "null");
}

describe("helpers of programs", () => {
  it("read CSV whatever its separator, quotes and line ends are", async () => {
    const row = { a: "x,y", b: 2 };
    expect(
      await values([
        `parseCsv('a,b\\r\\n"x,y",2\\r\\n')`,
        `parseCsv('a;b\\n"x,y";2')`,
        `parseCsv('sep=;\\na;b\\n"x,y";2')`,
        `parseTsv('a\\tb\\nx,y\\t2')`,
        `parseCsv('\\uFEFFa|b\\nx,y|2')`,
        `parseCsv('a,b\\n"x,y","2"\\n\\n')`,
      ]),
    ).toEqual([[row], [row], [row], [row], [row], [row]]);
    expect(
      await values([
        `parseCsv('a,a,\\n007,1.50,')`,
        `parseCsv('1,2', { header: false })`,
        `parseCsv('a\\n1', { numbers: false })`,
        `parseCsv('a,b\\n"one\\n""two""",3\\n"open')`,
        `parseCsv('')`,
        `formatCsv([{ a: 'x,"y"', b: null }, { a: 1, c: 2 }])`,
      ]),
    ).toEqual([
      [{ a: "007", "a (2)": 1.5, column3: null }],
      [{ column1: 1, column2: 2 }],
      [{ a: "1" }],
      [
        { a: 'one\n"two"', b: 3 },
        { a: "open", b: null },
      ],
      [],
      'a,b,c\n"x,""y""",,\n1,,2',
    ]);
  });

  it("add exactly, and read numbers as people write them", async () => {
    expect(
      await values([
        "sum([0.1, 0.2])",
        "sum([1e15, 0.25, -1e15])",
        "sum([1e-12, 1e12])",
        "sum([])",
        "String(sumExact(['9007199254740993.01', '0.02']))",
        "sum([{ v: '1.234,50 €' }, { v: '' }, { v: '-0,50' }, { v: '1.000' }], 'v')",
        "sum(['1,234.50', '$2', '(3.00)', '50%'])",
        "sum(['1.234', '2'])",
        "parseNumber('1 234,5')",
        "parseNumber('no')",
        "String(decimal('19.99').times(3).plus('0.03'))",
        "String(decimal(10).dividedBy(3, 4))",
        "String(decimal('-2.5').round())",
        "decimal('1.10').equals('1.1')",
        "round(1.005, 2)",
        "String(decimal('2.345').round(2))",
      ]),
    ).toEqual([
      0.3,
      0.25,
      1_000_000_000_000,
      0,
      "9007199254740993.03",
      2234,
      1234,
      3.234,
      1234.5,
      null,
      "60.00",
      "3.3333",
      "-3",
      true,
      1.01,
      "2.35",
    ]);
  });

  it("describe, group, join and sort tables", async () => {
    const input = JSON.stringify([
      { k: "b", n: 2 },
      { k: "a", n: 10 },
      { k: "b", n: 4 },
      { k: "", n: null },
    ]);
    expect(
      await values(
        [
          "mean(input, 'n')",
          "median(input, 'n')",
          "quantile([1, 2, 3, 4], 0.25)",
          "round(standardDeviation([1, 2, 3, 4]), 4)",
          "[smallest(input, 'n'), largest(input, (row) => row.n), mean([])]",
          "Object.keys(groupBy(input, 'k'))",
          "sortBy(input, 'k').map((row) => row.n)",
          "sortBy(input, 'n', 'desc').map((row) => row.n)",
          "sortBy(['10', '9'], (text) => text)",
          "join(input, [{ id: 'b', label: 'B' }], { left: 'k', right: 'id' }).map((row) => row.label + row.n)",
          "join([{ k: 1 }], [], 'k', 'left')",
          "pivot(input.slice(0, 3), { rows: 'k', value: 'n', aggregate: 'max' })",
          "unique(input, 'k')",
        ],
        input,
      ),
    ).toEqual([
      16 / 3,
      4,
      1.75,
      1.291,
      [2, 10, null],
      ["b", "a", ""],
      [10, 2, 4, null],
      [10, 4, 2, null],
      ["9", "10"],
      ["B2", "B4"],
      [{ k: 1 }],
      [
        { k: "b", n: 4 },
        { k: "a", n: 10 },
      ],
      ["b", "a", ""],
    ]);
  });

  it("calculate with dates, and draw the same random numbers for a seed", async () => {
    expect(
      await values([
        "parseDate('3.4.2026')",
        "parseDate('03/04/2026', 'mdy')",
        "parseDate('13/2/26')",
        "addDays('2026-02-28', 1)",
        "addMonths('2024-01-31', 1)",
        "addMonths('2026-01-15', -2)",
        "daysBetween('2026-03-28', '2026-04-01')",
        "weekday('2026-11-29')",
        "quarterOf('2026-11-29') + monthOf('2026-11-29')",
        "random(7)() === random(7)()",
        "(() => { try { parseDate('2026-02-30') } catch (fault) { return fault.message } })()",
      ]),
    ).toEqual([
      "2026-04-03",
      "2026-03-04",
      "2026-02-13",
      "2026-03-01",
      "2024-02-29",
      "2025-11-15",
      4,
      "Sunday",
      "2026-Q42026-11",
      true,
      '"2026-02-30" is not a date',
    ]);
  });
});
