import { scaleLinear } from "d3-scale";
import { arc, pie, type PieArcDatum } from "d3-shape";
import { readSlices, type ChartData, type Slice } from "./chart-data.ts";
import { drawList, labelSize, splitForList, type Box } from "./chart-frame.ts";
import { percent, shortNumber, tickFormat } from "./chart-numbers.ts";
import { seriesColor, textOn, type ChartTheme } from "./chart-theme.ts";
import { fitText, type Shape } from "./scene.ts";

const centreOf = (box: Box): { x: number; y: number; radius: number } => ({
  x: box.x + box.width / 2,
  y: box.y + box.height / 2,
  radius: Math.max(4, Math.min(box.width, box.height) / 2 - 4),
});

/** A ring with the total in its middle, and the parts' names and shares beside it. */
export function drawPie(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const slices = readSlices(data, 10);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const entries = slices.map(({ name, value }, index) => ({
    name,
    color: seriesColor(theme, index),
    value: percent(value / total),
  }));
  const { plot, list } = splitForList(box, entries);
  const { x, y, radius } = centreOf(plot);
  const angles = pie<Slice>()
    .value(({ value }) => value)
    .sort(null)(slices);
  const ring = arc<PieArcDatum<Slice>>()
    .innerRadius(radius * 0.58)
    .outerRadius(radius)
    .cornerRadius(3)
    .padAngle(slices.length > 1 ? 0.014 : 0);
  const shapes = angles.map((angle, index): Shape => ({
    kind: "path",
    d: ring(angle) ?? "",
    x,
    y,
    fill: seriesColor(theme, index),
    tip: `${angle.data.name}: ${shortNumber(angle.data.value)} (${percent(angle.data.value / total)})`,
  }));
  for (const angle of angles) {
    const share = angle.data.value / total;
    if (share < 0.07 || radius < 70) continue;
    const [dx, dy] = ring.centroid(angle);
    shapes.push({
      kind: "text",
      x: x + dx,
      y: y + dy + 4,
      text: percent(share),
      size: labelSize,
      isBold: true,
      fill: textOn(seriesColor(theme, angle.index)),
      anchor: "middle",
    });
  }
  if (radius >= 50)
    shapes.push(
      middle(x, y + 4, shortNumber(total), radius > 90 ? 22 : 16, theme.title, true),
      middle(
        x,
        y + 22,
        fitText(data.series[0] ?? "", radius * 0.95, labelSize),
        labelSize,
        theme.faint,
      ),
    );
  return [...shapes, ...drawList(entries, list, theme)];
}

const middle = (
  x: number,
  y: number,
  text: string,
  size: number,
  fill: string,
  isBold = false,
): Shape => ({ kind: "text", x, y, text, size, fill, isBold, anchor: "middle" });

/** One ring for each row, as long as its value; the scale ends at a round number. */
export function drawRadialBars(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const most = 10;
  const rows = data.names
    .map((name, row) => ({ name, value: Math.max(0, data.values[0]?.[row] ?? 0) }))
    .slice(0, most);
  const scale = scaleLinear([0, Math.max(...rows.map(({ value }) => value), 1e-12)], [0, 1]).nice(
    4,
  );
  const entries = rows.map(({ name, value }, index) => ({
    name,
    color: seriesColor(theme, index),
    value: shortNumber(value),
  }));
  const hidden = data.names.length - rows.length;
  if (hidden > 0) entries.push({ name: `+${hidden} more`, color: theme.track, value: "" });
  const { plot, list } = splitForList(box, entries);
  const { x, y, radius } = centreOf(plot);
  const band = (radius * 0.72) / Math.max(1, rows.length);
  const full = Math.PI * 1.5;
  const ring = (index: number, end: number): string =>
    arc()({
      innerRadius: radius - (index + 1) * band + Math.min(4, band * 0.2),
      outerRadius: radius - index * band,
      startAngle: 0,
      endAngle: end,
    }) ?? "";
  return [
    ...rows.flatMap(({ name, value }, index): Shape[] => [
      { kind: "path", d: ring(index, full), x, y, fill: theme.track },
      {
        kind: "path",
        d: ring(index, full * scale(value)),
        x,
        y,
        fill: seriesColor(theme, index),
        tip: `${name}: ${shortNumber(value)}`,
      },
    ]),
    ...drawList(entries, list, theme),
  ];
}

const mostAxes = 24;

export function drawRadar(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const names = data.names.slice(0, mostAxes);
  const centre = centreOf({ ...box, y: box.y + 18, height: box.height - 36 });
  const radius = Math.max(10, Math.min(centre.radius, box.width / 2 - 90));
  const values = data.values.map((each) => each.slice(0, mostAxes));
  const known = values.flat().filter((each): each is number => each !== null);
  const scale = scaleLinear([Math.min(0, ...known), Math.max(0, ...known) || 1], [0, radius]).nice(
    4,
  );
  const ticks = scale.ticks(4);
  const count = Math.max(3, names.length);
  const place = (axis: number, distance: number): [number, number] => {
    const angle = (axis / count) * 2 * Math.PI - Math.PI / 2;
    return [centre.x + Math.cos(angle) * distance, centre.y + Math.sin(angle) * distance];
  };
  const outline = (points: [number, number][]): string =>
    `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}Z`;
  const axes = Array.from({ length: count }, (_, axis) => axis);
  const write = tickFormat((ticks[1] ?? 1) - (ticks[0] ?? 0), Math.max(...ticks.map(Math.abs)));
  const shapes: Shape[] = ticks.map((tick) => ({
    kind: "path",
    d: outline(axes.map((axis) => place(axis, scale(tick)))),
    stroke: tick === ticks.at(-1) ? theme.axis : theme.track,
    strokeWidth: 1,
  }));
  for (const axis of axes.slice(0, Math.max(names.length, 1)))
    shapes.push({
      kind: "path",
      d: outline([place(axis, 0), place(axis, radius)]),
      stroke: theme.track,
      strokeWidth: 1,
    });
  for (const [index, each] of values.entries()) {
    const color = seriesColor(theme, index);
    const d = outline(names.map((_, axis) => place(axis, scale(each[axis] ?? 0))));
    shapes.push(
      { kind: "path", d, fill: color, opacity: 0.14 },
      { kind: "path", d, stroke: color, strokeWidth: 2 },
    );
    for (const [axis, name] of names.entries()) {
      const value = each[axis] ?? null;
      if (value === null) continue;
      const [x, y] = place(axis, scale(value));
      const tip = `${name}, ${data.series[index]!}: ${shortNumber(value)}`;
      shapes.push({ kind: "circle", x, y, radius: 3, fill: color, ring: theme.background, tip });
    }
  }
  for (const tick of ticks.slice(1))
    shapes.push({
      kind: "text",
      x: centre.x + 5,
      y: place(0, scale(tick))[1] + 12,
      text: write(tick),
      size: 11,
      fill: theme.faint,
    });
  for (const [axis, name] of names.entries()) {
    const [x, y] = place(axis, radius + 12);
    const side = x - centre.x;
    const anchor = Math.abs(side) < 6 ? "middle" : side > 0 ? "start" : "end";
    const room = anchor === "middle" ? 160 : box.width / 2 - Math.abs(side) - 4;
    shapes.push({
      kind: "text",
      x,
      y: y + (Math.abs(side) < 6 ? (y < centre.y ? 0 : 8) : 4),
      text: fitText(name, Math.max(40, room), labelSize),
      size: labelSize,
      fill: theme.text,
      anchor,
    });
  }
  return shapes;
}
