import { clipText } from "@carrel/contracts/clip-text";
import { cleanText } from "./decode-text.ts";
import { orderColumns } from "./order-pdf-columns.ts";
import { isRightToLeftPage, orderDirections } from "./order-pdf-directions.ts";
import type { Heading, ParsedPage, ParsedText } from "./parsed-document.ts";
import {
  isBlank,
  makeLine,
  orderVerticalLines,
  toLines,
  type Line,
  type PdfField,
  type PdfPage,
  type PdfRun,
} from "./pdf-lines.ts";

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
function placeFields(source: Line[], fields: readonly PdfField[], body: number): Line[] {
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

/** Lines in reading order. */
function readLines({ runs }: PdfPage): Line[] {
  const isRightToLeft = isRightToLeftPage(runs);
  return orderVerticalLines(orderColumns(toLines(runs), isRightToLeft)).map((line) =>
    orderDirections(line, isRightToLeft),
  );
}

/** The most common font size, by characters. */
function bodySize(pages: Line[][]): number {
  const counts = new Map<number, number>();
  for (const line of pages.flat())
    counts.set(
      Math.round(line.size * 2) / 2,
      (counts.get(Math.round(line.size * 2) / 2) ?? 0) + line.text.length,
    );
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, -1])[0];
}

const isHeading = (line: Line, body: number): boolean =>
  line.size >= body * 1.15 && line.text.trim().length <= 150 && /\p{L}/u.test(line.text);

/** Whether a line begins a paragraph, by its distance from the one before. */
function isApart(line: Line, previous: Line): boolean {
  if (line.isApart || line.vertical !== previous.vertical) return true;
  const distance = previous.y - line.y;
  const size = Math.max(previous.size, line.size);
  if (distance > (line.vertical ? 2.6 : 1.7) * size) return true;
  if (distance >= -0.5 * line.size) return false;
  // Further up, at the top of the next column: a sentence may continue there.
  return !(
    /[\p{Ll},\-\u00ad\u2010]$/u.test(previous.text.trimEnd()) && /^\s*\p{Ll}/u.test(line.text)
  );
}

const endsInCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、]$/u;
const startsInCjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。」』）]/u;

/** Chinese and Japanese have no spaces, so a line that is as long as lines get continues. */
const continuesInCjk = (line: Line, previous: Line, longest: number): boolean =>
  endsInCjk.test(previous.text.trimEnd()) &&
  startsInCjk.test(line.text.trimStart()) &&
  previous.text.trim().length > 0.85 * longest;

/**
 * Turns lines into text: joins words by their gaps and hyphenated words across lines, and finds
 * paragraphs by spacing and headings by font size.
 */
export function layOutPages(source: PdfPage[]): ParsedText {
  const plainLines = source.map(readLines);
  const body = bodySize(plainLines);
  const pageLines = plainLines.map((lines, i) => placeFields(lines, source[i]!.fields ?? [], body));
  const levels = [
    ...new Set(
      pageLines
        .flat()
        .filter((line) => isHeading(line, body))
        .map((line) => Math.round(line.size)),
    ),
  ].sort((a, b) => b - a);
  const parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  const endsWith = (pattern: RegExp): boolean => pattern.test(parts.slice(-2).join(""));
  const headings: Heading[] = [];
  const pages: ParsedPage[] = [];
  for (const [index, lines] of pageLines.entries()) {
    if (length > 0) add("\n\n");
    const start = length;
    const runs: number[] = [];
    const longest = lines.reduce((most, line) => Math.max(most, line.text.trim().length), 0);
    let previous: Line | null = null;
    for (const line of lines) {
      const heading = isHeading(line, body);
      let continues = false;
      if (previous) {
        const apart = isApart(line, previous);
        if (
          heading &&
          isHeading(previous, body) &&
          Math.round(previous.size) === Math.round(line.size) &&
          !apart
        ) {
          continues = true;
          add(" ");
        } else if (heading || isHeading(previous, body) || apart) {
          add("\n\n");
        } else if (
          (endsWith(/\p{Ll}[-\u2010]$/u) && /^\s*\p{Ll}/u.test(line.text)) ||
          (endsWith(/\p{L}\u00ad$/u) && /^\s*\p{L}/u.test(line.text))
        ) {
          const last = parts.pop()!;
          parts.push(last.slice(0, -1));
          length -= 1;
          if (runs.length >= 6) runs[runs.length - 5]! -= 1;
        } else if (!continuesInCjk(line, previous, longest)) {
          add("\n");
        }
      }
      if (heading && !continues)
        headings.push({
          start: length,
          level: levels.indexOf(Math.round(line.size)) + 1,
          title: "",
        });
      addRuns(line, start, runs, add, () => length, endsWith);
      if (heading) {
        const title = headings.at(-1)!;
        title.title = clipText(`${title.title} ${line.text}`.replace(/\s+/g, " ").trim(), 300);
      }
      previous = line;
    }
    pages.push({
      page: index + 1,
      start,
      end: length,
      width: source[index]!.width,
      height: source[index]!.height,
      runs: Float32Array.from(runs),
    });
  }
  const text = parts.join("");
  return { text, headings, pages };
}

/** More blank runs than this in one line are a drawing or a hostile file. */
const maxBlanks = 500;

/** Adds a line's runs, with a space where the gap is wider than an eighth of the font size. */
function addRuns(
  line: Line,
  pageStart: number,
  runs: number[],
  add: (text: string) => void,
  position: () => number,
  endsWith: (pattern: RegExp) => boolean,
): void {
  const blanks = line.runs.filter((run) => run.text !== "" && isBlank(run)).slice(0, maxBlanks);
  let last: PdfRun | null = null;
  for (const run of line.runs) {
    const text = cleanText(run.text)
      .replace(/\s+/g, " ")
      // A soft hyphen within a line is drawn, so it is a hyphen.
      .replaceAll(/\u00ad(?=.)/g, "-");
    if (text.trim() === "") continue;
    if (last && !endsWith(/\s$/) && !text.startsWith(" ")) {
      const gap = line.vertical
        ? last.y - (run.y + run.height)
        : run.x >= last.x
          ? run.x - (last.x + last.width)
          : last.x - (run.x + run.width);
      if (
        gap > (line.vertical ? 0.8 : 0.12) * run.size ||
        blanks.some((space) => between(space, last!, run))
      )
        add(" ");
    }
    runs.push(position() - pageStart, text.length, run.x, run.y, run.width, run.height);
    add(text);
    last = run;
  }
}

/** Whether a run of spaces lies between two others, in either writing direction. */
function between(space: PdfRun, a: PdfRun, b: PdfRun): boolean {
  const middle = space.x + space.width / 2;
  return (
    space.width > 0.1 * b.size &&
    ((middle >= a.x + a.width * 0.9 && middle <= b.x + b.width * 0.1) ||
      (middle <= a.x + a.width * 0.1 && middle >= b.x + b.width * 0.9))
  );
}
