import { stepOutput } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { ToolError } from "../tool.ts";
import { chartInput, readChart } from "./chart-input.ts";
import { createChartSkill } from "./create-chart.ts";

const read = (input: unknown) => readChart(chartInput.parse(input));
const months = [
  { name: "May", Revenue: 12, Costs: 7 },
  { name: "June", Revenue: 9, Costs: -2 },
];

describe("create-chart", () => {
  const [tool] = createChartSkill();

  it("shows the chart and says so in a few words", async () => {
    const { outputs, text } = await tool!.run(
      chartInput.parse({ type: "line", title: "Revenue", caption: "In euros", rows: months }),
      null as never,
    );
    expect(outputs!.map((output) => stepOutput.parse(output))).toEqual([
      { type: "chart", chart: "line", title: "Revenue", caption: "In euros", rows: months },
    ]);
    expect(text).toContain("2 rows, series Revenue, Costs");
  });

  it("describes the strict form to models", () => {
    const schema = z.toJSONSchema(chartInput, { io: "input" });
    expect(schema).toMatchObject({ type: "object", required: ["type", "title", "rows"] });
  });

  it.each([
    [
      "numbers as text",
      { rows: [{ name: "May", Revenue: "1,200.50", Costs: "7 %" }] },
      [{ name: "May", Revenue: 1200.5, Costs: 7 }],
    ],
    ["rows as JSON", { rows: JSON.stringify(months) }, months],
    ["rows within a fence", { dataset: `\`\`\`json\n${JSON.stringify(months)}\n\`\`\`` }, months],
    [
      "a field of another name",
      { data: [{ month: "May", total: 3 }] },
      [{ name: "May", total: 3 }],
    ],
    [
      "labels that are the only text",
      { rows: [{ city: "Bonn", people: 3 }] },
      [{ name: "Bonn", people: 3 }],
    ],
    [
      "no labels",
      { rows: [{ total: 3 }, { total: 4 }] },
      [
        { name: "1", total: 3 },
        { name: "2", total: 4 },
      ],
    ],
    [
      "columns",
      { rows: { name: ["May", "June"], total: [3, 4] } },
      [
        { name: "May", total: 3 },
        { name: "June", total: 4 },
      ],
    ],
    [
      "names with values",
      { rows: { May: 3, June: 4 } },
      [
        { name: "May", value: 3 },
        { name: "June", value: 4 },
      ],
    ],
    [
      "a table with a header",
      {
        rows: [
          ["month", "total"],
          ["May", "3"],
        ],
      },
      [{ name: "May", total: 3 }],
    ],
    [
      "pairs",
      {
        rows: [
          ["May", 3],
          ["June", 4],
        ],
      },
      [
        { name: "May", value: 3 },
        { name: "June", value: 4 },
      ],
    ],
    [
      "numbers alone",
      { rows: [3, 4] },
      [
        { name: "1", value: 3 },
        { name: "2", value: 4 },
      ],
    ],
    ["years as names", { rows: [{ year: 2024, total: 3 }] }, [{ name: "2024", total: 3 }]],
    [
      "gaps",
      {
        rows: [
          { name: "May", total: null },
          { name: "June", total: 4 },
        ],
      },
      [
        { name: "May", total: null },
        { name: "June", total: 4 },
      ],
    ],
    [
      "notes beside the numbers",
      { rows: [{ name: "May", total: 4, note: "n/a" }] },
      [{ name: "May", total: 4 }],
    ],
  ])("accepts %s", (_what, given, rows) => {
    expect(read({ type: "bar", title: "T", ...given }).rows).toEqual(rows);
  });

  it.each([
    ["Bar Chart", "bar"],
    ["column", "bar"],
    ["donut", "pie"],
    ["radial_bar", "radialBar"],
    ["TREEMAP", "treemap"],
    ["line graph", "line"],
  ])("knows %s", (type, chart) => {
    expect(read({ chartType: type, rows: [{ name: "a", b: 1 }] }).chart).toBe(chart);
  });

  it.each([
    [{ rows: [{ name: "a", b: "high" }] }, /no numbers/],
    [{ type: "pie", rows: [{ name: "a", b: -1 }] }, /negative/],
    [{ type: "treemap", rows: [{ name: "a", b: 0 }] }, /above zero/],
    [
      {
        rows: [
          { name: "a", ...Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, i])) },
        ],
      },
      /21 series/,
    ],
  ])("says what is wrong with %j", (given, message) => {
    const run = () => read({ type: "bar", title: "", ...given });
    expect(run).toThrow(ToolError);
    expect(run).toThrow(message);
  });

  it.each([
    [{ rows: [] }, /at least one row/],
    [{ rows: Array.from({ length: 1001 }, () => ({ name: "a", b: 1 })) }, /at most 1000 rows/],
    [{ rows: "three" }, /expected array/],
    [{ type: "sunburst", rows: [{ name: "a", b: 1 }] }, /expected one of/],
    [null, /expected object/],
    ["{", /expected object/],
  ])("rejects %j", (given, message) => {
    const input = typeof given === "object" && given !== null ? { type: "bar", ...given } : given;
    const result = chartInput.safeParse(input);
    expect(result.error?.message).toMatch(message);
  });

  it("isn't led astray by the names of fields", () => {
    const { rows } = read({
      type: "bar",
      rows: JSON.parse('[{"name":"a","__proto__":5,"constructor":2,"toString":3}]'),
    });
    expect(Object.entries(rows[0]!)).toEqual([
      ["name", "a"],
      ["constructor", 2],
      ["toString", 3],
    ]);
  });

  it("stops reading rows that have far too many fields", () => {
    const rows = Array.from({ length: 1_000 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 100 }, (_value, at) => [`s${row}-${at}`, at])),
    );
    expect(() => chartInput.safeParse({ type: "line", title: "Wide", rows })).toThrow(
      "A chart can have at most 20 series.",
    );
  });
});
