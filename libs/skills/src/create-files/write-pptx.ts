import type Library from "pptxgenjs";
import { readChartData } from "../create-chart/chart-data.ts";
import { readChart } from "../create-chart/chart-input.ts";
import { chartThemes, type Chart } from "../create-chart/chart-theme.ts";
import { renderChartPng } from "../create-chart/render-chart-png.ts";
import { textWidth } from "../create-chart/scene.ts";
import { ToolError } from "../tool.ts";
import { readMarkdown, type Span } from "./document-blocks.ts";
import { cleanText } from "./file-name.ts";
import type { SlideInput } from "./slides-input.ts";

const mostSlides = 300;
/** In inches. */
const wide = { width: 13.333, height: 7.5, margin: 0.75, top: 1.55, bottom: 0.6 };
const usable = {
  width: wide.width - 2 * wide.margin,
  height: wide.height - wide.top - wide.bottom,
};
const colors = {
  title: "1F1E1C",
  text: "33312E",
  faint: "656360",
  line: "DFDDD8",
  fill: "F6F4F1",
  accent: "0B6F63",
};
const font = "Calibri";
const pointsPerInch = 72;
/** Charts that can be edited in the presentation; the others are pictures. */
const nativeTypes: Partial<Record<Chart["chart"], Library.default.CHART_NAME>> = {
  bar: "bar",
  line: "line",
  area: "area",
  pie: "doughnut",
  radar: "radar",
};

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
interface Point {
  level: number;
  spans: Span[];
}
type Table = NonNullable<SlideInput["table"]>;

/** Writes slides of 16:9. What doesn't fit on one goes on on the next. */
export async function writePptx(
  o: { title: string; slides: readonly SlideInput[] },
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; slides: number }> {
  const { default: loaded } = await import("pptxgenjs");
  // Node loads the package's ES module, whose default is the class; its types are of the other one.
  const Presentation = loaded as unknown as typeof loaded.default;
  const presentation = new Presentation();
  presentation.layout = "LAYOUT_WIDE";
  presentation.title = cleanText(o.title);
  presentation.author = "Carrel";
  presentation.company = "";
  presentation.theme = { headFontFace: font, bodyFontFace: font };
  defineLayouts(presentation);
  const writer = new PptxWriter(presentation);
  for (const [index, slide] of o.slides.entries()) {
    signal.throwIfAborted();
    await writer.add(slide, index === 0);
  }
  const written = await presentation.write({ outputType: "nodebuffer" });
  return { bytes: await repairParagraphs(written as Uint8Array), slides: writer.count };
}

/**
 * pptxgenjs 4.0 writes a paragraph's properties before each of its runs. The format allows them only
 * at its start, and PowerPoint offers to repair what has others.
 */
async function repairParagraphs(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: JSZip } = await import("jszip");
  const zip = await JSZip.loadAsync(bytes);
  for (const file of zip.file(/^ppt\/slides\/slide\d+\.xml$/)) {
    const xml = await file.async("string");
    zip.file(file.name, xml.replace(/(<\/a:r>)<a:pPr\b(?:[^>]*\/>|.*?<\/a:pPr>)/gs, "$1"));
  }
  return zip.generateAsync({ type: "uint8array", compression: "DEFLATE" });
}

const layouts = { opening: "Opening", content: "Content" };

/** Titles are placeholders, which outlines and screen readers take for titles. */
function defineLayouts(presentation: Library.default): void {
  const places = [
    { name: layouts.opening, y: 2.2, h: 1.6, valign: "bottom" },
    { name: layouts.content, y: 0.45, h: 0.95, valign: "middle" },
  ] as const;
  for (const { name, ...place } of places)
    presentation.defineSlideMaster({
      title: name,
      objects: [
        {
          placeholder: {
            options: {
              name: "title",
              type: "title",
              x: wide.margin,
              w: usable.width,
              ...place,
              bold: true,
              color: colors.title,
              align: "left",
              fontFace: font,
              margin: 0,
            },
            text: "",
          },
        },
      ],
    });
}

class PptxWriter {
  count = 0;

  constructor(private readonly presentation: Library.default) {}

  async add(input: SlideInput, isFirst: boolean): Promise<void> {
    const { bullets = [], table, chart } = input;
    if (bullets.length === 0 && table === undefined && chart === undefined) {
      this.addTitleSlide(input, isFirst);
      return;
    }
    const points = await Promise.all(bullets.map(readPoint));
    const besides = table !== undefined || chart !== undefined;
    const isSplit = points.length > 0 && besides;
    const half = (usable.width - 0.5) / 2;
    const left: Box = {
      x: wide.margin,
      y: wide.top,
      w: isSplit ? half : usable.width,
      h: usable.height,
    };
    const right: Box = isSplit ? { ...left, x: wide.margin + half + 0.5 } : left;
    const pagesOfPoints = splitPoints(points, left);
    // A chart beside a table has a slide of its own.
    const pagesOfTable = table === undefined ? [] : splitTable(table, right);
    const charts = chart === undefined ? [] : [readChart(chart)];
    const boxed = [
      ...pagesOfTable.map((page) => ({ kind: "table" as const, page })),
      ...charts.map((page) => ({ kind: "chart" as const, page })),
    ];
    const pages = Math.max(pagesOfPoints.length, boxed.length);
    for (let index = 0; index < pages; index += 1) {
      const slide = this.addSlide(index === 0 ? input.title : `${input.title} (continued)`);
      if (index === 0) addNotes(slide, input.notes);
      const page = pagesOfPoints[index];
      if (page !== undefined) addPoints(slide, page, left);
      const other = boxed[index];
      if (other?.kind === "table") addTable(slide, other.page, right);
      if (other?.kind === "chart") await this.addChart(slide, other.page, right);
    }
  }

  private addTitleSlide(input: SlideInput, isFirst: boolean): void {
    const slide = this.newSlide(layouts.opening);
    const size = isFirst ? 44 : 36;
    slide.addText(cleanText(input.title), {
      placeholder: "title",
      fontSize: Math.max(20, size - Math.floor(input.title.length / 40) * 6),
    });
    if (input.subtitle !== undefined && input.subtitle.trim() !== "")
      slide.addText(cleanText(input.subtitle), {
        x: wide.margin,
        y: 3.95,
        w: usable.width,
        h: 1.2,
        fontSize: 20,
        color: colors.faint,
        valign: "top",
        fontFace: font,
      });
    addNotes(slide, input.notes);
  }

  private newSlide(layout: string): Library.default.Slide {
    if (this.count >= mostSlides)
      throw new ToolError(`The presentation would have more than ${mostSlides} slides.`);
    this.count += 1;
    return this.presentation.addSlide({ masterName: layout });
  }

  private addSlide(title: string): Library.default.Slide {
    const slide = this.newSlide(layouts.content);
    slide.addText(cleanText(title), {
      placeholder: "title",
      fontSize: title.length > 70 ? 22 : 28,
    });
    slide.slideNumber = {
      x: wide.width - 1,
      y: wide.height - 0.45,
      w: 0.5,
      h: 0.3,
      fontSize: 10,
      color: colors.faint,
      fontFace: font,
    };
    return slide;
  }

  private async addChart(slide: Library.default.Slide, chart: Chart, box: Box): Promise<void> {
    const data = readChartData(chart.rows);
    const native = nativeTypes[chart.chart];
    if (native === undefined) {
      const size = { width: Math.round(box.w * 66), height: Math.round(box.h * 66) };
      const picture = await renderChartPng(chart, { ...size, theme: "light", scale: 3 });
      slide.addImage({
        data: `image/png;base64,${picture.toString("base64")}`,
        ...box,
        altText: cleanText(chart.title === "" ? chart.chart : chart.title),
      });
      return;
    }
    const isPie = chart.chart === "pie";
    // The library writes 0 for what is missing in a series.
    const series = isPie ? data.series.slice(0, 1) : data.series;
    slide.addChart(
      native,
      series.map((name, index) => ({
        name: cleanText(name),
        labels: data.names.map((label) => cleanText(label)),
        values: data.values[index]!.map((value) => value ?? 0),
      })),
      {
        ...box,
        altText: cleanText(chart.title),
        showTitle: chart.title !== "",
        title: cleanText(chart.title),
        titleFontSize: 14,
        titleFontFace: font,
        titleColor: colors.title,
        showLegend: isPie || series.length > 1,
        legendPos: isPie ? "r" : "t",
        legendFontSize: 11,
        legendFontFace: font,
        legendColor: colors.text,
        chartColors: chartThemes.light.series.map((color) => color.slice(1)),
        catAxisLabelFontSize: 11,
        valAxisLabelFontSize: 11,
        catAxisLabelColor: colors.faint,
        valAxisLabelColor: colors.faint,
        valGridLine: { color: colors.line, size: 0.75 },
        catGridLine: { style: "none" },
        lineSize: 2.25,
        ...(isPie
          ? { holeSize: 58, showPercent: true, dataLabelFontSize: 11, dataLabelColor: "FFFFFF" }
          : {}),
        ...(chart.chart === "bar" ? { barGapWidthPct: 60 } : {}),
        ...(chart.chart === "area" ? { chartColorsOpacity: 60 } : {}),
      },
    );
  }
}

function addNotes(slide: Library.default.Slide, notes: string | undefined): void {
  if (notes !== undefined && notes.trim() !== "") slide.addNotes(cleanText(notes));
}

async function readPoint(text: string): Promise<Point> {
  const indent = /^[ \t]*/.exec(text)![0].replaceAll("\t", "  ").length;
  const plain = text.trim().replace(/^(?:[-*•–]|\d{1,3}[.)])\s+/, "");
  const blocks = await readMarkdown(plain);
  const [only] = blocks;
  const spans =
    blocks.length === 1 && only?.kind === "paragraph" ? only.spans : [{ text: cleanText(plain) }];
  return { level: Math.min(4, Math.floor(indent / 2)), spans };
}

const sizeOf = (level: number, base: number): number => Math.max(10, base - level * 2);

/** How high the points are, in inches. */
function heightOf(points: readonly Point[], box: Box, base: number): number {
  return points.reduce((sum, { level, spans }) => {
    const size = sizeOf(level, base);
    const room = (box.w - 0.4 - level * 0.35) * pointsPerInch;
    const width = textWidth(spans.map(({ text }) => text).join(""), size);
    return sum + (Math.max(1, Math.ceil((width * 1.05) / room)) * size * 1.25 + 7) / pointsPerInch;
  }, 0);
}

/** In a smaller size if that is enough, otherwise over several slides. */
function splitPoints(points: readonly Point[], box: Box): { points: Point[]; size: number }[] {
  if (points.length === 0) return [];
  for (const size of [22, 20, 18, 16])
    if (heightOf(points, box, size) <= box.h) return [{ points: [...points], size }];
  const pages: Point[][] = [[]];
  for (const point of points) {
    const page = pages.at(-1)!;
    if (page.length > 0 && heightOf([...page, point], box, 16) > box.h) pages.push([point]);
    else page.push(point);
  }
  return pages.map((page) => ({ points: page, size: heightOf(page, box, 16) > box.h ? 12 : 16 }));
}

function addPoints(
  slide: Library.default.Slide,
  page: { points: Point[]; size: number },
  box: Box,
): void {
  const runs = page.points.flatMap(({ level, spans }) =>
    spans.map((span, index): Library.default.TextProps => {
      const isLast = index === spans.length - 1;
      return {
        text: span.text.replaceAll("\n", " "),
        options: {
          ...(index === 0 ? { bullet: { indent: 16 }, indentLevel: level } : {}),
          fontSize: sizeOf(level, page.size),
          color: level === 0 ? colors.text : colors.faint,
          paraSpaceAfter: 6,
          ...(span.isBold === true ? { bold: true } : {}),
          ...(span.isItalic === true ? { italic: true } : {}),
          ...(span.isStruck === true ? { strike: true } : {}),
          ...(span.isCode === true ? { fontFace: "Consolas" } : {}),
          ...(span.link === undefined ? {} : { hyperlink: { url: span.link } }),
          ...(isLast ? { breakLine: true } : {}),
        },
      };
    }),
  );
  slide.addText(runs, { ...box, valign: "top", fontFace: font, margin: 0, fit: "shrink" });
}

const tableSize = (columns: number): number => (columns > 8 ? 10 : columns > 5 ? 12 : 14);

/** Rows that fit on a slide, by an estimate of their lines. */
function splitTable(table: Table, box: Box): Table[] {
  const size = tableSize(table.columns.length);
  const room = (box.w / table.columns.length) * pointsPerInch - 14;
  const heightOfRow = (row: readonly unknown[]): number => {
    const lines = row.map((cell) => Math.ceil((textWidth(String(cell ?? ""), size) * 1.1) / room));
    return (Math.max(1, ...lines) * size * 1.25 + 9) / pointsPerInch;
  };
  const header = heightOfRow(table.columns);
  const pages: Table["rows"][] = [[]];
  let height = header;
  for (const row of table.rows) {
    const needed = heightOfRow(row);
    if (height + needed > box.h && pages.at(-1)!.length > 0) {
      pages.push([]);
      height = header;
    }
    pages.at(-1)!.push(row);
    height += needed;
  }
  return pages.map((rows) => ({ columns: table.columns, rows }));
}

function addTable(slide: Library.default.Slide, table: Table, box: Box): void {
  const line: Library.default.BorderProps = { type: "solid", pt: 0.75, color: colors.line };
  const none: Library.default.BorderProps = { type: "none" };
  const isNumeric = table.columns.map((_, index) =>
    table.rows.every(
      (row) => row[index] === null || row[index] === undefined || typeof row[index] === "number",
    ),
  );
  const cellOf = (value: unknown, index: number, isHeader: boolean): Library.default.TableCell => ({
    text: cleanText(value === null || value === undefined ? "" : String(value)),
    options: {
      align: isNumeric[index] === true ? "right" : "left",
      border: [line, none, line, none],
      ...(isHeader
        ? { bold: true, color: colors.title, fill: { color: colors.fill } }
        : { color: colors.text }),
    },
  });
  slide.addTable(
    [
      table.columns.map((name, index) => cellOf(name, index, true)),
      ...table.rows.map((row) => table.columns.map((_, index) => cellOf(row[index], index, false))),
    ],
    {
      x: box.x,
      y: box.y,
      w: box.w,
      fontSize: tableSize(table.columns.length),
      fontFace: font,
      valign: "middle",
      margin: [3, 6, 3, 6].map((points) => points / pointsPerInch) as [
        number,
        number,
        number,
        number,
      ],
    },
  );
}
