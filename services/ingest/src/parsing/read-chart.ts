import type { Archive } from "./archive.ts";
import type { Block } from "./office-block.ts";
import { readXmlPart } from "./read-xml.ts";
import { writeTable } from "./write-table.ts";

/** Elements that hold the letters of a title: Office's runs and cells, OpenDocument's paragraphs. */
const holdsText = new Set(["t", "v", "p", "span"]);

/**
 * The titles of a sheet's chart and its axes in one line; empty if it has none. Its data are in the
 * cells.
 */
export async function readChartTitles(archive: Archive, part: string): Promise<string> {
  if (!archive.has(part)) return "";
  const titles: string[] = [];
  const path: string[] = [];
  let title: string | null = null;
  await readXmlPart(archive, part, {
    open: (name) => {
      path.push(name);
      if (name === "title") title = "";
      else if (name === "p" && title) title += " ";
    },
    text: (text) => {
      if (title !== null && holdsText.has(path.at(-1)!)) title += text;
    },
    close: (name) => {
      path.pop();
      if (name !== "title" || title === null) return;
      const clean = title.replace(/\s+/g, " ").trim();
      if (clean !== "") titles.push(clean);
      title = null;
    },
  });
  return titles.length === 0 ? "" : `Chart: ${titles.join(", ")}`;
}

/** A series as stored in a chart's part: the values that were last drawn. */
interface Series {
  name: string[];
  categories: Values;
  values: Values;
  sizes: Values;
}
interface Values {
  format: string;
  /** Categories by point; several levels are joined. */
  points: string[][];
}

/** Points and series that are written; a chart with more is a cloud. */
const maxPoints = 2_000;
const maxSeries = 50;
const noValues = (): Values => ({ format: "", points: [] });
const axes = /^(?:cat|val|date|ser)Ax$|^axis$/;
const categories = new Set(["cat", "xVal", "strDim"]);
const numbers = new Set(["val", "yVal", "numDim"]);

const dayLength = 86_400_000;
/** Days between the epochs of spreadsheets and of JavaScript. */
const epochDays = 25_569;

/** A stored number as its format shows it: a share in percent, a day as a date. */
function shown(value: string, format: string): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) return value.trim();
  const code = format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "");
  if (code.includes("%")) return `${Number((number * 100).toPrecision(12))}%`;
  if (/[yd]/i.test(code) && !/general/i.test(code) && number > 0 && number < 2_958_466)
    return new Date(Math.round((number - epochDays) * dayLength)).toISOString().slice(0, 10);
  return String(Number(number.toPrecision(12)));
}

/**
 * A chart as text: its title and axis titles, then each category with the values of the series, as
 * rows of a table.
 */
export async function readChart(archive: Archive, part: string): Promise<Block[]> {
  const path: string[] = [];
  const series: Series[] = [];
  const titles: string[] = [];
  const axisTitles: string[] = [];
  let categoryTitle = "";
  let current: Series | null = null;
  const data: { categories: Values; values: Values }[] = [];
  let title = "";
  let point = 0;
  let text = "";
  let skip = 0;
  const valuesHere = (): Values | null => {
    for (let at = path.length - 1; at >= 0; at--) {
      const name = path[at]!;
      const inData = path.includes("chartData");
      if (categories.has(name))
        return inData ? (data.at(-1)?.categories ?? null) : (current?.categories ?? null);
      if (numbers.has(name))
        return inData ? (data.at(-1)?.values ?? null) : (current?.values ?? null);
      if (name === "bubbleSize") return current?.sizes ?? null;
    }
    return null;
  };
  const take = (): string => {
    const taken = text.trim();
    text = "";
    return taken;
  };
  const addPoint = (value: string): void => {
    if (path.includes("title")) {
      if (!title.includes(value)) title += ` ${value}`;
    } else if (path.includes("tx")) current?.name.push(value);
    else {
      const values = valuesHere();
      if (values && point >= 0 && point < maxPoints) (values.points[point] ??= []).unshift(value);
    }
  };
  await readXmlPart(archive, part, {
    open: (name, attributes) => {
      if (skip > 0 || name === "Fallback" || name === "extLst" || name === "dLbls") {
        skip++;
        return;
      }
      path.push(name);
      text = "";
      if (name === "ser" || name === "series") {
        current = { name: [], categories: noValues(), values: noValues(), sizes: noValues() };
        if (series.length < maxSeries) series.push(current);
      } else if (name === "data" && path.at(-2) === "chartData")
        data.push({ categories: noValues(), values: noValues() });
      else if (name === "dataId" && current) {
        const found = data[Number(attributes.val) || 0];
        if (found) Object.assign(current, found);
      } else if (name === "title") title = "";
      else if (name === "pt") point = Number(attributes.idx) || 0;
      else if (name === "lvl" && attributes.formatCode !== undefined) {
        const values = valuesHere();
        if (values) values.format = attributes.formatCode;
      }
    },
    text: (piece) => {
      if (skip === 0) text += piece;
    },
    close: (name) => {
      if (skip > 0) {
        skip--;
        return;
      }
      if (name === "t" && path.includes("title")) title += take();
      else if (name === "t" && path.includes("tx")) current?.name.push(take());
      else if (name === "p" && path.includes("title")) title += " ";
      else if (name === "formatCode") {
        const values = valuesHere();
        if (values) values.format = take();
      } else if (name === "v" || (name === "pt" && text.trim() !== "")) addPoint(take());
      else if (name === "title") {
        const clean = title.replace(/\s+/g, " ").trim();
        const list = path.some((element) => axes.test(element)) ? axisTitles : titles;
        if (clean !== "") list.push(clean);
        if (path.includes("catAx") || path.includes("dateAx")) categoryTitle = clean;
      } else if (name === "ser" || name === "series") current = null;
      path.pop();
    },
  });
  // Each series of a scatter or bubble chart has its own categories; others share the first.
  const shared = series.find((one) => one.categories.points.length > 0)?.categories ?? noValues();
  const named = [titles.join(" "), axisTitles.length > 0 && `(${axisTitles.join(", ")})`];
  const paragraphs = writeValues(series, shared, categoryTitle);
  const head = named.filter(Boolean).join(" ");
  return (head === "" ? paragraphs : [`Chart: ${head}`, ...paragraphs]).map((text) => ({
    kind: "paragraph",
    text,
  }));
}

function writeValues(series: Series[], shared: Values, categoryTitle: string): string[] {
  const at = (values: Values, row: number): string =>
    (values.points[row] ?? []).map((value) => shown(value, values.format)).join(" ");
  const length = series.reduce(
    (most, one) => Math.max(most, one.values.points.length, one.categories.points.length),
    0,
  );
  const rows = Array.from({ length }, (_, row) => [
    at(shared, row),
    ...series.map(({ categories: own, values, sizes }) => {
      const x = own === shared ? "" : at(own, row);
      const y = at(values, row);
      const size = at(sizes, row);
      return (
        (x !== "" && x !== at(shared, row) ? `${x}: ${y}` : y) + (size === "" ? "" : ` (${size})`)
      );
    }),
  ]);
  const names = series.map(({ name }, i) => [...new Set(name)].join(" ") || `Series ${i + 1}`);
  return length === 0
    ? names.filter((_, i) => series[i]!.name.length > 0)
    : writeTable({ rows: [[categoryTitle, ...names], ...rows], headerRows: 1 });
}
