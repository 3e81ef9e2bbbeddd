import { cleanText } from "./decode-text.ts";
import type { Heading, ParsedPage, ParsedText } from "./parsed-document.ts";

/** A run of text on a page with its bounding box, in points, origin at the page's lower left. */
export interface PdfRun {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
  endsLine: boolean;
  upright: boolean;
}
export interface PdfPage {
  width: number;
  height: number;
  runs: PdfRun[];
}

interface Line {
  runs: PdfRun[];
  y: number;
  size: number;
  text: string;
}

/**
 * Groups runs into lines: a line ends where pdf.js says so, or where the baseline moves by more
 * than half the font size.
 */
function toLines(runs: PdfRun[]): Line[] {
  const lines: Line[] = [];
  let current: PdfRun[] = [];
  const close = (): void => {
    const words = current.filter((run) => run.text.trim() !== "");
    if (words.length > 0)
      lines.push({
        runs: current,
        y: words[0]!.y,
        size: Math.max(...words.map((run) => run.size)),
        text: words.map((run) => run.text).join(""),
      });
    current = [];
  };
  for (const run of runs) {
    const last = current.findLast((previous) => previous.text.trim() !== "");
    if (
      last &&
      run.text.trim() !== "" &&
      run.upright &&
      last.upright &&
      Math.abs(run.y - last.y) > 0.7 * Math.max(run.size, last.size)
    )
      close();
    current.push(run);
    if (run.endsLine) close();
  }
  close();
  return lines;
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

/**
 * Turns lines into text: joins words by their gaps and hyphenated words across lines, and finds
 * paragraphs by spacing and headings by font size.
 */
export function layOutPages(source: PdfPage[]): ParsedText {
  const pageLines = source.map((page) => toLines(page.runs));
  const body = bodySize(pageLines);
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
  const endsWith = (pattern: RegExp): boolean => pattern.test(parts.at(-1) ?? "");
  const headings: Heading[] = [];
  const pages: ParsedPage[] = [];
  for (const [index, lines] of pageLines.entries()) {
    if (length > 0) add("\n\n");
    const start = length;
    const runs: number[] = [];
    let previous: Line | null = null;
    for (const line of lines) {
      const heading = isHeading(line, body);
      if (previous) {
        const distance = previous.y - line.y;
        const apart =
          distance > 1.7 * Math.max(previous.size, line.size) || distance < -0.5 * line.size;
        if (
          heading &&
          isHeading(previous, body) &&
          Math.round(previous.size) === Math.round(line.size) &&
          !apart
        ) {
          add(" ");
        } else if (heading || isHeading(previous, body) || apart) {
          add("\n\n");
        } else if (endsWith(/\p{Ll}[-\u00ad]$/u) && /^\s*\p{Ll}/u.test(line.text)) {
          const last = parts.pop()!;
          parts.push(last.slice(0, -1));
          length -= 1;
          if (runs.length >= 6) runs[runs.length - 5]! -= 1;
        } else {
          add("\n");
        }
      }
      const continues = heading && previous && headings.length > 0 && endsWith(/^ $/);
      if (heading && !continues)
        headings.push({
          start: length,
          level: levels.indexOf(Math.round(line.size)) + 1,
          title: "",
        });
      addRuns(line, start, runs, add, () => length, endsWith);
      if (heading) {
        const title = headings.at(-1)!;
        title.title = `${title.title} ${line.text}`.replace(/\s+/g, " ").trim().slice(0, 300);
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

/** Adds a line's runs, with a space where the gap is wider than an eighth of the font size. */
function addRuns(
  line: Line,
  pageStart: number,
  runs: number[],
  add: (text: string) => void,
  position: () => number,
  endsWith: (pattern: RegExp) => boolean,
): void {
  let last: PdfRun | null = null;
  for (const run of line.runs) {
    const text = cleanText(run.text).replace(/\s+/g, " ");
    if (text.trim() === "") continue;
    if (last && !endsWith(/\s$/) && !text.startsWith(" ")) {
      const gap = run.x >= last.x ? run.x - (last.x + last.width) : last.x - (run.x + run.width);
      if (
        gap > 0.12 * run.size ||
        line.runs.some(
          (space) => space.text !== "" && space.text.trim() === "" && between(space, last!, run),
        )
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
