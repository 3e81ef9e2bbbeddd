import { makeLine, type Line, type PdfField, type PdfRun } from "./pdf-lines.ts";

/** Text farther from a field, in points, doesn't name it. */
const labelDistance = { left: 200, right: 40 };

interface Row {
  line: Line;
  /** Text on both sides of the field, and its distance. */
  left: number;
  right: number;
}

const toRun = (field: PdfField, text: string, y: number, height: number, size: number): PdfRun => ({
  text,
  x: field.x,
  y,
  width: field.width,
  height,
  size,
  endsLine: false,
  upright: true,
});

/** The line beside a field, the nearest if several are at its height. */
function rowOf(lines: Line[], field: PdfField): Row | null {
  let best: Row | null = null;
  for (const line of lines) {
    if (line.vertical || line.isApart) continue;
    const middle = line.y + line.size / 2;
    if (middle < field.y - 0.2 * line.size || middle > field.y + field.height + 0.2 * line.size)
      continue;
    let [left, right] = [Infinity, Infinity];
    for (const run of line.runs) {
      if (run.text.trim() === "") continue;
      if (run.x < field.x + field.width / 2)
        left = Math.min(left, Math.max(0, field.x - run.x - run.width));
      else right = Math.min(right, Math.max(0, run.x - field.x - field.width));
    }
    if (!best || Math.min(left, right) < Math.min(best.left, best.right))
      best = { line, left, right };
  }
  return best && (best.left < labelDistance.left || best.right < labelDistance.left) ? best : null;
}

/** The index of the line just above a field, which names it. */
function labelAbove(lines: Line[], field: PdfField): number {
  const top = field.y + field.height;
  return lines.findIndex(
    (line) =>
      !line.vertical &&
      !line.isApart &&
      line.y > top - 0.5 * line.size &&
      line.y < top + 1.2 * line.size &&
      line.runs.some((run) => run.x < field.x + field.width && run.x + run.width > field.x),
  );
}

/** Puts form values and notes where they are on the page, and comments at its end. */
export function placeFields(source: Line[], fields: readonly PdfField[], body: number): Line[] {
  if (fields.length === 0) return source;
  const lines = [...source];
  const named = (field: PdfField, text: string): string =>
    field.label === null ? text : `${field.label}: ${text}`;
  for (const field of fields) {
    const [first = "", ...more] = field.text.split("\n").filter((text) => text.trim() !== "");
    const height = Math.min(field.height / (more.length + 1), 1.4 * (body || field.height));
    const size = Math.min(body || height, height || body);
    const yOf = (n: number): number => field.y + field.height - (n + 1) * height;
    const rest = more.map((text, n) => makeLine([toRun(field, text, yOf(n + 1), height, size)])!);
    const row = field.isComment ? null : rowOf(lines, field);
    if (row) {
      const hasLabel = row.left < labelDistance.left || row.right < labelDistance.right;
      const at = row.line.runs.findIndex(
        (run) => run.text.trim() !== "" && run.x >= field.x + field.width / 2,
      );
      const place = at === -1 ? row.line.runs.length : at;
      const text = `${place === 0 ? "" : " "}${hasLabel ? first : named(field, first)}${at === -1 ? "" : " "}`;
      const runs = row.line.runs.toSpliced(
        place,
        0,
        toRun(field, text, row.line.y, row.line.size, row.line.size),
      );
      const index = lines.indexOf(row.line);
      lines.splice(
        index,
        1,
        { ...row.line, runs, text: runs.map((run) => run.text).join("") },
        ...rest,
      );
      continue;
    }
    const above = field.isComment ? -1 : labelAbove(lines, field);
    const line = makeLine([
      toRun(field, above === -1 ? named(field, first) : first, yOf(0), height, size),
    ]);
    if (!line) continue;
    if (field.isComment) lines.push({ ...line, isApart: true }, ...rest);
    else if (above !== -1) lines.splice(above + 1, 0, line, ...rest);
    else {
      const below = lines.findIndex(
        (other) => other.isApart || (!other.vertical && other.y < line.y),
      );
      lines.splice(below === -1 ? lines.length : below, 0, line, ...rest);
    }
  }
  return lines;
}
