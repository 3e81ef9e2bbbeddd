import type { Tool } from "../tool.ts";
import { readChartData } from "./chart-data.ts";
import { chartInput, readChart, type ChartInput } from "./chart-input.ts";

/** Shows numbers as a chart in the answer. It needs no settings. */
export function createChartSkill(): Tool<ChartInput>[] {
  return [
    {
      skill: "create-chart",
      name: "create-chart",
      description:
        "Shows numbers as a chart in the answer. Use it if the person asks for a chart, or if a comparison or development is easier to see than to read. Use only numbers that you know from the person, documents or tools.",
      input: chartInput,
      effect: "none",
      isUntrusted: false,
      isRepeatable: true,
      approval: "never",
      object: ({ title, type }) => title.trim() || type,
      run: async (input) => {
        const chart = readChart(input);
        const { series } = readChartData(chart.rows);
        const rows = chart.rows.length;
        return {
          text: `The person sees the ${chart.chart} chart now${chart.title && `, titled "${chart.title}"`}: ${rows} ${rows === 1 ? "row" : "rows"}, series ${series.join(", ")}. Don't repeat its numbers as a table unless asked.`,
          outputs: [chart],
        };
      },
    },
  ];
}
