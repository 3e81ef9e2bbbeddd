import { describe, expect, it } from "@jest/globals";
import { chartThemes, chartTypes, contrast, textOn, type Chart } from "./chart-theme.ts";
import { layOutChart } from "./lay-out-chart.ts";
import { renderChartPng } from "./render-chart-png.ts";
import { renderChartSvg } from "./render-chart-svg.ts";

const view = { width: 640, height: 400, theme: "dark" } as const;
const chartOf = (chart: Chart["chart"], rows: Chart["rows"], title = "Title"): Chart => ({
  type: "chart",
  chart,
  title,
  rows,
});
const texts = (chart: Chart, size: Partial<typeof view> | object = {}): string[] =>
  layOutChart(chart, { ...view, ...size }).shapes.flatMap((shape) =>
    shape.kind === "text" ? [shape.text] : [],
  );
const some = [
  { name: "May", Revenue: 12_000, Costs: 7_000 },
  { name: "June", Revenue: 9_000, Costs: -2_000 },
  { name: "July", Revenue: 15_500, Costs: null },
];

const inputs: [string, Chart["rows"]][] = [
  ["some rows", some],
  ["no rows", []],
  ["one row", [{ name: "Only", a: 5 }]],
  ["no numbers", [{ name: "a", b: "x" }]],
  [
    "zeros",
    [
      { name: "a", b: 0 },
      { name: "b", b: 0 },
    ],
  ],
  [
    "equal values",
    [
      { name: "a", b: 7 },
      { name: "b", b: 7 },
    ],
  ],
  [
    "negative values",
    [
      { name: "a", b: -3 },
      { name: "b", b: -9 },
    ],
  ],
  [
    "huge and tiny values",
    [
      { name: "a", b: 1e300 },
      { name: "b", b: 1e-300 },
    ],
  ],
  [
    "extreme values",
    [
      { name: "a", b: Number.MAX_VALUE },
      { name: "b", b: -Number.MAX_VALUE },
    ],
  ],
  [
    "tiny values",
    [
      { name: "a", b: 3e-9 },
      { name: "b", b: 1e-9 },
    ],
  ],
  [
    "not a number",
    [
      { name: "a", b: Number.NaN },
      { name: "b", b: Infinity },
    ],
  ],
  [
    "long labels",
    [
      { name: "word ".repeat(200), ["series ".repeat(50)]: 3 },
      { name: "x".repeat(5_000), b: 2 },
    ],
  ],
  [
    "20 series",
    [
      Object.fromEntries([
        ["name", "a"],
        ...Array.from({ length: 20 }, (_, i) => [`series ${i}`, i]),
      ]),
    ],
  ],
  [
    "1,000 rows",
    Array.from({ length: 1_000 }, (_, i) => ({ name: `Row ${i}`, a: Math.sin(i) * 50, b: i })),
  ],
  ["other scripts", [{ name: "北京 العربية 👩‍👩‍👧", Ελλάδα: 3 }]],
  ["no names", [{ b: 3 }, { name: null, b: 2 }] as Chart["rows"]],
];

describe.each(chartTypes)("a %s chart", (type) => {
  it.each(inputs)("draws %s", (_what, rows) => {
    for (const theme of ["light", "dark"] as const)
      for (const size of [
        { width: 640, height: 400 },
        { width: 160, height: 160 },
      ]) {
        const svg = renderChartSvg(chartOf(type, rows), { ...size, theme });
        expect(svg).toMatch(/^<svg [^>]+>\n[\s\S]*<\/svg>$/);
        expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
      }
  });

  it("escapes everything that comes from the chart", () => {
    const hostile = `"><script>alert(1)</script><image href='x' onload="a()"/>&\u0000\u0008\uD800`;
    const svg = renderChartSvg(
      {
        ...chartOf(
          type,
          [
            { name: hostile, [hostile]: 4 },
            { name: "]]>", [hostile]: 2 },
          ],
          hostile,
        ),
        caption: hostile,
      },
      view,
    );
    const tags = new Set(Array.from(svg.matchAll(/<\/?([^\s/>]+)/g), ([, tag]) => tag));
    expect(
      [...tags].filter((tag) => !["svg", "rect", "path", "circle", "text", "title"].includes(tag!)),
    ).toEqual([]);
    // oxlint-disable-next-line no-control-regex
    expect(svg).not.toMatch(/[\0-\x08]|\son\w+="/);
    expect(svg.isWellFormed()).toBe(true);
  });
});

describe("charts", () => {
  it("writes sensible ticks, names and legends", () => {
    const shown = texts(chartOf("bar", some));
    expect(shown).toEqual(
      expect.arrayContaining(["Title", "Revenue", "Costs", "May", "June", "July", "0", "15K"]),
    );
    expect(
      texts(
        chartOf("line", [
          { name: "a", b: 0.012 },
          { name: "c", b: 0.019 },
        ]),
      ),
    ).toContain("0.014");
    expect(texts(chartOf("pie", some))).toEqual(expect.arrayContaining(["May", "36,500"]));
    expect(texts(chartOf("bar", []))).toEqual(["Title", "No data"]);
  });

  it("lies bars with long names down, and leaves names out where there are too many", () => {
    const long = [
      "Engineering and research",
      "Sales, marketing and support",
      "Operations in three regions",
      "Legal, people and finance",
      "Everything that is left over",
    ];
    expect(
      texts(
        chartOf(
          "bar",
          long.map((name, b) => ({ name, b })),
        ),
      ),
    ).toEqual(expect.arrayContaining(long));
    const many = Array.from({ length: 1_000 }, (_, b) => ({ name: `2024-01-${b}`, b }));
    const names = texts(chartOf("line", many)).filter((text) => text.startsWith("2024"));
    expect(names.length).toBeGreaterThan(3);
    expect(names.length).toBeLessThan(12);
  });

  it("adds up the smallest parts", () => {
    const rows = Array.from({ length: 40 }, (_, b) => ({ name: `Part ${b}`, b: b + 1 }));
    expect(texts(chartOf("pie", rows))).toContain("Other (31)");
  });

  it("keeps within the picture", () => {
    for (const type of chartTypes)
      for (const shape of layOutChart(chartOf(type, some), view).shapes)
        if (shape.kind !== "path") {
          expect(shape.x).toBeGreaterThanOrEqual(0);
          expect(shape.x).toBeLessThanOrEqual(view.width);
          expect(shape.y).toBeLessThanOrEqual(view.height);
        }
  });

  it("has colors that can be told from the background, and text from them", () => {
    for (const theme of Object.values(chartThemes)) {
      for (const color of theme.series) {
        expect(contrast(color, theme.background)).toBeGreaterThanOrEqual(3);
        expect(contrast(color, textOn(color))).toBeGreaterThanOrEqual(4.5);
      }
      for (const color of [theme.title, theme.text, theme.faint])
        expect(contrast(color, theme.background)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("draws PNGs of the same shapes, in the fonts that come along", async () => {
    for (const type of chartTypes) {
      const png = await renderChartPng(chartOf(type, some, '<b>"'), { ...view, scale: 1 });
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([640, 400]);
    }
    const { createCanvas } = await import("@napi-rs/canvas");
    const context = createCanvas(10, 10).getContext("2d");
    context.font = '100px "Chart Regular"';
    expect(context.measureText("W").width).toBeCloseTo(99, -1);
  });
});
