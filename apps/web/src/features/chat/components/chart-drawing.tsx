import type { ChartType } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import type { ReactNode } from "react";
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Funnel,
  FunnelChart,
  LabelList,
  Legend,
  Line,
  Pie,
  PieChart,
  PolarAngleAxis,
  PolarGrid,
  PolarRadiusAxis,
  Radar,
  RadarChart,
  RadialBar,
  RadialBarChart,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  Treemap,
  XAxis,
  YAxis,
  ZAxis,
} from "recharts";
import { formatNumber } from "../../../lib/format.ts";
import { partsOf, type ChartRow } from "../state/chart-data.ts";
import { withoutHidden } from "../state/safe-text.ts";

/** At least 3 : 1 on the cards of their theme, and different in lightness as well as in hue. */
const colours = {
  dark: ["#3fbfae", "#f0a35e", "#7fb2f0", "#c39af0", "#f08aa5", "#b8c95a", "#5fa8a0", "#c9a98a"],
  light: ["#0b6f63", "#c2601a", "#3b6fb6", "#8a4fb0", "#b3345a", "#6b7a1e", "#2a8fa3", "#7a5a3a"],
};

const axis = { fontSize: 11, fill: "var(--fg-3)" };
const grid = "var(--border-subtle)";
const still = { isAnimationActive: false } as const;
const compact = (value: unknown): string =>
  typeof value === "number"
    ? new Intl.NumberFormat(document.documentElement.lang, {
        notation: Math.abs(value) >= 10_000 ? "compact" : "standard",
        maximumFractionDigits: 2,
      }).format(value)
    : withoutHidden(String(value));
/** Of a label. */
const mostCharacters = 16;
const clip = (value: unknown): string => {
  const text = withoutHidden(String(value));
  return text.length > mostCharacters ? `${clipText(text, mostCharacters - 1)}…` : text;
};
const exact = (value: unknown): string =>
  typeof value === "number" ? formatNumber(value, 4) : withoutHidden(String(value));

const tooltip = (
  <Tooltip
    {...still}
    cursor={{ fill: "var(--bg-hover)", stroke: "var(--border-default)" }}
    contentStyle={{
      background: "var(--bg-overlay)",
      border: "1px solid var(--border-default)",
      borderRadius: "var(--radius-md)",
      color: "var(--fg-1)",
      fontSize: 12,
    }}
    labelStyle={{ color: "var(--fg-1)", fontWeight: 500 }}
    itemStyle={{ color: "var(--fg-2)" }}
    formatter={exact}
  />
);
const legend = (
  <Legend
    iconType="circle"
    iconSize={8}
    // In the order of the series.
    itemSorter={null}
    wrapperStyle={{ fontSize: 12 }}
    formatter={(name) => (
      <span style={{ color: "var(--fg-2)" }}>{withoutHidden(String(name))}</span>
    )}
  />
);

interface Drawing {
  rows: readonly ChartRow[];
  series: readonly string[];
  colourOf: (index: number) => string;
}

/** Draws a chart of one of ten types. */
export function ChartDrawing({
  type,
  rows,
  series,
  isLight,
}: {
  type: ChartType;
  rows: readonly ChartRow[];
  series: readonly string[];
  isLight: boolean;
}) {
  const palette = colours[isLight ? "light" : "dark"];
  const drawing: Drawing = {
    rows,
    series,
    colourOf: (index) => palette[index % palette.length]!,
  };
  return (
    <ResponsiveContainer width="100%" height="100%">
      {draw(type, drawing)}
    </ResponsiveContainer>
  );
}

function draw(type: ChartType, drawing: Drawing): ReactNode {
  switch (type) {
    case "scatter":
      return drawScatter(drawing);
    case "pie":
    case "radialBar":
    case "funnel":
    case "treemap":
      return drawParts(type, drawing);
    case "radar":
      return drawRadar(drawing);
    default:
      return drawSeries(type, drawing);
  }
}

function drawSeries(
  type: "area" | "bar" | "line" | "composed",
  { rows, series, colourOf }: Drawing,
): ReactNode {
  const isDense = rows.length > 40;
  return (
    <ComposedChart
      data={[...rows]}
      accessibilityLayer={false}
      margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
    >
      <CartesianGrid vertical={false} stroke={grid} />
      <XAxis
        dataKey="name"
        tick={axis}
        tickLine={false}
        axisLine={{ stroke: "var(--border-default)" }}
        minTickGap={12}
        tickFormatter={clip}
        scale={type === "bar" || type === "composed" ? "band" : "point"}
        padding={type === "line" || type === "area" ? { left: 8, right: 8 } : {}}
      />
      <YAxis width="auto" tick={axis} tickLine={false} axisLine={false} tickFormatter={compact} />
      {tooltip}
      {series.length > 1 && legend}
      {series.map((name, index) => {
        const colour = colourOf(index);
        const part = {
          ...still,
          key: name,
          name: withoutHidden(name),
          dataKey: ({ values }: ChartRow) => values[index],
        };
        const { key, ...rest } = part;
        if (type === "bar" || (type === "composed" && index === 0))
          return <Bar key={key} {...rest} fill={colour} maxBarSize={44} radius={[3, 3, 0, 0]} />;
        const line = { ...rest, stroke: colour, strokeWidth: 2, type: "monotone" as const };
        if (type === "area") return <Area key={key} {...line} fill={colour} fillOpacity={0.18} />;
        return (
          <Line
            key={key}
            {...line}
            dot={isDense ? false : { r: 3, fill: colour, strokeWidth: 0 }}
            connectNulls
          />
        );
      })}
    </ComposedChart>
  );
}

/** The first two series are the coordinates; one alone is drawn over its names or its order. */
function drawScatter({ rows, series, colourOf }: Drawing): ReactNode {
  const points = rows.map(({ name, values }, index) => {
    const named = Number(name);
    return values.length > 1
      ? { name, x: values[0], y: values[1] }
      : { name, x: Number.isNaN(named) ? index + 1 : named, y: values[0] };
  });
  const [x, y] = series.length > 1 ? series : [undefined, series[0]];
  const common = { type: "number" as const, tick: axis, tickLine: false, tickFormatter: compact };
  return (
    <ScatterChart accessibilityLayer={false} margin={{ top: 8, right: 12, bottom: 4, left: 0 }}>
      <CartesianGrid stroke={grid} />
      <XAxis
        {...common}
        dataKey="x"
        name={x ?? "x"}
        domain={["auto", "auto"]}
        axisLine={{ stroke: "var(--border-default)" }}
        {...(x === undefined
          ? {}
          : { height: 42, label: { value: withoutHidden(x), position: "insideBottom", ...axis } })}
      />
      <YAxis {...common} dataKey="y" name={y ?? "y"} width="auto" axisLine={false} />
      <ZAxis range={[48, 48]} />
      {tooltip}
      <Scatter {...still} data={points} fill={colourOf(0)} fillOpacity={0.85} />
    </ScatterChart>
  );
}

function drawParts(
  type: "pie" | "radialBar" | "funnel" | "treemap",
  { rows, series, colourOf }: Drawing,
): ReactNode {
  const parts = partsOf(rows, series).map((part, index) => ({
    ...part,
    name: withoutHidden(part.name),
    fill: colourOf(index),
  }));
  const common = { ...still, data: parts, dataKey: "value", nameKey: "name" };
  const edge = { stroke: "var(--bg-raised)", strokeWidth: 2 };
  if (type === "pie")
    return (
      <PieChart accessibilityLayer={false}>
        {tooltip}
        {legend}
        <Pie {...common} {...edge} innerRadius="52%" outerRadius="86%" />
      </PieChart>
    );
  if (type === "radialBar")
    return (
      <RadialBarChart
        accessibilityLayer={false}
        data={parts}
        innerRadius="24%"
        outerRadius="96%"
        startAngle={90}
        endAngle={-270}
      >
        <PolarAngleAxis type="number" domain={[0, "auto"]} tick={false} axisLine={false} />
        {tooltip}
        {legend}
        <RadialBar
          {...still}
          dataKey="value"
          background={{ fill: "var(--bg-sunken)" }}
          cornerRadius={4}
        />
      </RadialBarChart>
    );
  if (type === "funnel") {
    parts.sort((one, other) => other.value - one.value);
    return (
      <FunnelChart accessibilityLayer={false} margin={{ top: 8, right: 130, bottom: 8, left: 8 }}>
        {tooltip}
        <Funnel {...common} {...edge}>
          <LabelList
            position="right"
            dataKey="name"
            fill="var(--fg-2)"
            stroke="none"
            fontSize={12}
            // On one line.
            formatter={(name) => clip(name).replaceAll(" ", "\u00a0")}
          />
        </Funnel>
      </FunnelChart>
    );
  }
  return (
    <Treemap {...common} aspectRatio={4 / 3} content={TreemapCell}>
      {tooltip}
    </Treemap>
  );
}

function drawRadar({ rows, series, colourOf }: Drawing): ReactNode {
  return (
    <RadarChart accessibilityLayer={false} data={[...rows]} outerRadius="76%">
      <PolarGrid stroke="var(--border-default)" />
      <PolarAngleAxis dataKey="name" tick={axis} tickFormatter={clip} />
      <PolarRadiusAxis domain={[0, "dataMax"]} tick={false} axisLine={false} />
      {tooltip}
      {series.length > 1 && legend}
      {series.map((name, index) => (
        <Radar
          {...still}
          key={name}
          name={withoutHidden(name)}
          dataKey={({ values }: ChartRow) => values[index]}
          stroke={colourOf(index)}
          strokeWidth={2}
          fill={colourOf(index)}
          fillOpacity={0.18}
        />
      ))}
    </RadarChart>
  );
}

/** Below this size (px), a cell has no name. */
const smallest = { width: 56, height: 24 };
const characterWidth = 7;

function TreemapCell({
  x,
  y,
  width,
  height,
  name,
  fill,
  depth,
}: {
  x: number;
  y: number;
  width: number;
  height: number;
  name: string;
  fill?: string;
  depth: number;
}) {
  if (depth === 0) return <g />;
  const most = Math.floor((width - 12) / characterWidth);
  return (
    <g>
      <rect {...{ x, y, width, height, fill }} rx={3} stroke="var(--bg-raised)" strokeWidth={2} />
      {width >= smallest.width && height >= smallest.height && (
        <text x={x + 8} y={y + 18} fill="var(--bg-raised)" stroke="none" fontSize={12}>
          {name.length > most ? `${clipText(name, Math.max(1, most - 1))}…` : name}
        </text>
      )}
    </g>
  );
}
