import { useTranslation } from "react-i18next";
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatCost, formatDay } from "../../../lib/format-usage.ts";
import { formatNumber } from "../../../lib/format.ts";

export interface ChartDay {
  day: string;
  input: number;
  output: number;
  /** null: no price is known. */
  cost: number | null;
}

const axis = { fontSize: 11, fill: "var(--fg-3)" };
const compact = (value: number): string =>
  new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" }).format(value);

/**
 * Loaded with the chart library, separately from the page. Its label says that a table has all
 * figures.
 */
export default function UsageChart({
  days,
  measure,
  label,
}: {
  days: ChartDay[];
  measure: "tokens" | "cost";
  label: string;
}) {
  const { t } = useTranslation("usage");
  const bar = { stackId: "day", isAnimationActive: false, maxBarSize: 28 };
  const isRightToLeft = document.documentElement.dir === "rtl";
  /** In the page's direction. */
  const tickOf = (text: string): string => (isRightToLeft ? `\u2067${text}\u2069` : text);
  return (
    // Axes place their labels as from left to right.
    <div className="h-56" dir="ltr" role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={days}
          accessibilityLayer={false}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        >
          <CartesianGrid vertical={false} stroke="var(--border-subtle)" />
          <XAxis
            dataKey="day"
            reversed={isRightToLeft}
            tick={axis}
            tickLine={false}
            axisLine={{ stroke: "var(--border-default)" }}
            minTickGap={24}
            tickFormatter={(day: string) => tickOf(formatDay(day))}
          />
          <YAxis
            width="auto"
            orientation={isRightToLeft ? "right" : "left"}
            tick={axis}
            tickLine={false}
            axisLine={false}
            tickFormatter={(value: number) =>
              tickOf(measure === "cost" ? formatCost(value) : compact(value))
            }
          />
          <Tooltip
            cursor={{ fill: "var(--bg-hover)" }}
            isAnimationActive={false}
            contentStyle={{
              background: "var(--bg-overlay)",
              border: "1px solid var(--border-default)",
              borderRadius: "var(--radius-md)",
              color: "var(--fg-1)",
              fontSize: 12,
              direction: isRightToLeft ? "rtl" : "ltr",
            }}
            itemStyle={{ color: "var(--fg-2)" }}
            labelFormatter={(day) => formatDay(String(day))}
            formatter={(value) =>
              measure === "cost" ? formatCost(Number(value)) : formatNumber(Number(value))
            }
          />
          <Legend
            iconType="square"
            iconSize={8}
            wrapperStyle={{ fontSize: 12 }}
            formatter={(name) => <span style={{ color: "var(--fg-2)" }}>{name}</span>}
          />
          {measure === "cost" ? (
            <Bar {...bar} dataKey="cost" name={t("cost")} fill="var(--accent-solid)" />
          ) : (
            [
              <Bar
                {...bar}
                key="input"
                dataKey="input"
                name={t("promptTokens")}
                fill="var(--accent-solid)"
              />,
              <Bar
                {...bar}
                key="output"
                dataKey="output"
                name={t("answerTokens")}
                fill="var(--info-fg)"
              />,
            ]
          )}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
