import { createFilesSkill, type ToolCall } from "@carrel/skills";

const call: ToolCall = {
  signal: new AbortController().signal,
  key: "call",
  progress: () => undefined,
  ask: async () => [],
  nextSource: 1,
};

/** Runs one of the tools that create files, and returns the file. */
export async function createFile(
  toolName: string,
  input: unknown,
): Promise<{ name: string; mime: string; bytes: Uint8Array; text: string }> {
  const kept: { name: string; mime: string; bytes: Uint8Array }[] = [];
  const tools = createFilesSkill({
    keep: async (file) => {
      kept.push(file);
      const { name, mime, bytes } = file;
      return { type: "file", name, file: "stored", mime, size: bytes.length };
    },
  });
  const tool = tools.find(({ name }) => name === toolName)!;
  if (!("parse" in tool.input) || typeof tool.input.parse !== "function")
    throw new Error("The tool's input is no schema.");
  const { text } = await tool.run(tool.input.parse(input), call);
  return { ...kept[0]!, text };
}

/** Would be markup in any of the formats. */
export const hostile = `<b>&"'</a:t></w:t></t>]]>--><script>alert(1)</script>`;

export const markdown = `# Quarterly report

Revenue rose by **12 %** to €4.2 million in [Germany](https://example.com/de?a=1&b=2). Ελληνικά και
Кириллица, Việt Nam, ~~old~~ and \`inline code\`. ${hostile.replace(/([<>])/g, "\\$1")}

## Results

| Region | Revenue |
| --- | ---: |
| Germany | 1,200 |
| ${hostile.replace(/([<>])/g, "\\$1").replaceAll("|", "\\|")} | 5 |

1. First
2. Second
   - Nested *one*

- [x] done

> A quote ![with a picture](https://tracker.example/pixel.png) and
> [bad](javascript:alert(1)) [worse](file:///etc/passwd)

\`\`\`ts
const x = 1; // code
\`\`\`
`;

export const workbook = {
  name: "Sales",
  sheets: [
    {
      name: "2026",
      columns: ["Date", "Region", "Amount", { name: "Double", type: "currency" }],
      rows: [
        ["2026-01-02", "=cmd|' /C calc'!A0", 12.5, { formula: "=C2*2" }],
        ["2026-02-03", hostile, "7", { formula: "=SUM(C2:C3)" }],
      ],
    },
    { name: "Codes", rows: [{ code: "007", text: "a\nb" }] },
  ],
};

const rows = [
  { name: `Q1 ${hostile}`, Revenue: 4, [hostile]: -1 },
  { name: "Q2", Revenue: 6, [hostile]: 2 },
];
export const presentation = {
  name: "Review",
  title: hostile,
  slides: [
    { title: "Review of 2026", subtitle: hostile },
    {
      title: `Points ${hostile}`,
      bullets: [
        "**First** point with [a link](https://example.com/?a=1&b=2) after it",
        "  nested",
        hostile,
      ],
      notes: `Say ${hostile}`,
    },
    ...["bar", "line", "area", "pie", "radar", "funnel", "scatter"].map((type) => ({
      title: `A ${type} chart`,
      bullets: ["Beside it"],
      chart: { type, title: hostile, rows: rows.map((row) => ({ ...row, [hostile]: 3 })) },
    })),
    {
      title: "Table",
      table: {
        columns: ["Name", "Count"],
        rows: Array.from({ length: 40 }, (_, index) => [
          index === 3 ? hostile : `Row ${index}`,
          index,
        ]),
      },
    },
    { title: "Many", bullets: Array.from({ length: 60 }, (_, index) => `Point ${index}`) },
  ],
};
