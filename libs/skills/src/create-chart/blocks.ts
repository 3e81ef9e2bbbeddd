import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { readSlices, type ChartData, type Slice } from "./chart-data.ts";
import { labelSize, type Box } from "./chart-frame.ts";
import { percent, shortNumber } from "./chart-numbers.ts";
import { seriesColor, textOn, type ChartTheme } from "./chart-theme.ts";
import { fitText, textWidth, wrapText, type Shape } from "./scene.ts";

interface Branch {
  slice: Slice | null;
  children?: Branch[];
}

export function drawTreemap(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const slices = readSlices(data, 60);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const root = hierarchy<Branch>({ slice: null, children: slices.map((slice) => ({ slice })) })
    .sum(({ slice }) => slice?.value ?? 0)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const laidOut = treemap<Branch>()
    .tile(treemapSquarify)
    .size([box.width, box.height])
    .paddingInner(3)(root);
  return laidOut.leaves().flatMap((leaf, index): Shape[] => {
    const { name, value } = leaf.data.slice!;
    const [x, y] = [box.x + leaf.x0, box.y + leaf.y0];
    const [width, height] = [leaf.x1 - leaf.x0, leaf.y1 - leaf.y0];
    const fill = seriesColor(theme, index);
    const tip = `${name}: ${shortNumber(value)} (${percent(value / total)})`;
    const shapes: Shape[] = [{ kind: "rect", x, y, width, height, fill, tip }];
    if (width < 44 || height < 24) return shapes;
    const color = textOn(fill);
    const lines = wrapText(name, width - 16, 13, height > 60 ? 2 : 1, true);
    lines.forEach((text, line) =>
      shapes.push({
        kind: "text",
        x: x + 8,
        y: y + 18 + line * 16,
        text,
        size: 13,
        isBold: true,
        fill: color,
      }),
    );
    const below = y + 18 + lines.length * 16;
    const amount = `${shortNumber(value)} · ${percent(value / total)}`;
    const text = textWidth(amount, labelSize) <= width - 16 ? amount : shortNumber(value);
    if (below < y + height - 4 && textWidth(text, labelSize) <= width - 16)
      shapes.push({ kind: "text", x: x + 8, y: below, text, size: labelSize, fill: color });
    return shapes;
  });
}

const mostStages = 12;

/** Stages from wide to narrow in the order of the rows; each with its share of the first. */
export function drawFunnel(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const stages = data.names
    .map((name, row) => ({ name, value: Math.max(0, data.values[0]?.[row] ?? 0) }))
    .slice(0, mostStages);
  const largest = Math.max(...stages.map(({ value }) => value), 1e-12);
  const first = stages[0]?.value ?? 0;
  const side = Math.min(box.width * 0.3, 190);
  const width = box.width - 2 * side;
  const centre = box.x + box.width / 2;
  const gap = 4;
  const height = Math.min(76, (box.height + gap) / Math.max(1, stages.length) - gap);
  const top = box.y + Math.max(0, (box.height - stages.length * (height + gap)) / 2);
  const halfOf = (value: number): number => Math.max(1.5, (value / largest) * (width / 2));
  return stages.flatMap(({ name, value }, index): Shape[] => {
    const y = top + index * (height + gap);
    const above = halfOf(value);
    const next = stages[index + 1];
    const below = next === undefined ? above * 0.86 : Math.min(above, halfOf(next.value));
    const fill = seriesColor(theme, index);
    const share = first > 0 ? percent(value / first) : "";
    const baseline = y + height / 2 + 4;
    return [
      {
        kind: "path",
        d: `M${(centre - above).toFixed(1)},${y.toFixed(1)}H${(centre + above).toFixed(1)}L${(centre + below).toFixed(1)},${(y + height).toFixed(1)}H${(centre - below).toFixed(1)}Z`,
        fill,
        tip: `${name}: ${shortNumber(value)}${share && ` (${share})`}`,
      },
      {
        kind: "text",
        x: box.x,
        y: baseline,
        text: fitText(name, side - 8, 13),
        size: 13,
        fill: theme.text,
      },
      {
        kind: "text",
        x: box.x + box.width - 52,
        y: baseline,
        text: shortNumber(value),
        size: 13,
        isBold: true,
        fill: theme.title,
        anchor: "end",
      },
      {
        kind: "text",
        x: box.x + box.width,
        y: baseline,
        text: share,
        size: labelSize,
        fill: theme.faint,
        anchor: "end",
      },
    ];
  });
}
