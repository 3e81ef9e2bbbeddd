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
  /** Characters run from top to bottom. */
  vertical?: boolean;
}
export interface PdfPage {
  width: number;
  height: number;
  runs: PdfRun[];
  /** Values filled in or written on the page: not part of its text, but shown on it. */
  fields?: PdfField[];
}

/** A form value or a note at its place on the page. */
export interface PdfField {
  text: string;
  /** Names the value if no text on the page does. */
  label: string | null;
  /** A comment is put at the end of the page, because it would interrupt a sentence. */
  isComment: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Line {
  runs: PdfRun[];
  /** Baseline, or for vertical text the horizontal position: it falls from line to line. */
  y: number;
  size: number;
  text: string;
  vertical: boolean;
  /** Begins a paragraph, whatever its distance from the line before. */
  isApart?: boolean;
}

export const isBlank = (run: PdfRun): boolean => run.text.trim() === "";

/** A line of these runs; null if they are all blank. */
export function makeLine(runs: PdfRun[]): Line | null {
  const words = runs.filter((run) => !isBlank(run));
  const first = words[0];
  if (!first) return null;
  const vertical = first.vertical ?? false;
  return {
    runs,
    y: vertical ? first.x : first.y,
    size: words.reduce((size, run) => Math.max(size, run.size), 0),
    text: words.map((run) => run.text).join(""),
    vertical,
  };
}

function startsLine(run: PdfRun, last: PdfRun): boolean {
  if ((run.vertical ?? false) !== (last.vertical ?? false)) return true;
  const limit = 0.7 * Math.max(run.size, last.size);
  if (run.vertical) return Math.abs(run.x - last.x) > limit;
  return run.upright && last.upright && Math.abs(run.y - last.y) > limit;
}

/**
 * Groups runs into lines: a line ends where pdf.js says so, or where the baseline moves by more
 * than half the font size.
 */
export function toLines(runs: PdfRun[]): Line[] {
  const lines: Line[] = [];
  let current: PdfRun[] = [];
  let last: PdfRun | null = null;
  const close = (): void => {
    const line = makeLine(current);
    if (line) lines.push(line);
    current = [];
    last = null;
  };
  for (const run of runs) {
    const blank = isBlank(run);
    if (last && !blank && startsLine(run, last)) close();
    current.push(run);
    if (!blank) last = run;
    if (run.endsLine) close();
  }
  close();
  return joinStackedCharacters(lines);
}

const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}ー〇]{1,2}$/u;

/**
 * Joins characters that are set one below the other with a horizontal font to lines of vertical
 * text.
 */
function joinStackedCharacters(lines: Line[]): Line[] {
  const joined: Line[] = [];
  for (let i = 0; i < lines.length;) {
    let end = i + 1;
    if (cjk.test(lines[i]!.text.trim())) while (end < lines.length && isBelow(lines, end)) end++;
    if (end - i < 4) {
      joined.push(...lines.slice(i, end));
    } else {
      const runs = lines.slice(i, end).flatMap((line) => line.runs.filter((run) => !isBlank(run)));
      const line = makeLine(runs.map((run) => ({ ...run, vertical: true })));
      if (line) joined.push(line);
    }
    i = end;
  }
  return joined;
}

function isBelow(lines: Line[], index: number): boolean {
  const [above, line] = [lines[index - 1]!, lines[index]!];
  if (line.vertical || !cjk.test(line.text.trim())) return false;
  const [a, b] = [
    above.runs.find((run) => !isBlank(run))!,
    line.runs.find((run) => !isBlank(run))!,
  ];
  const fall = above.y - line.y;
  return (
    Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < 0.6 * line.size &&
    fall > 0.6 * line.size &&
    fall < 1.8 * line.size
  );
}

/**
 * Lines of vertical text from right to left, whatever order they were written in; other lines keep
 * their places.
 */
export function orderVerticalLines(lines: Line[]): Line[] {
  if (!lines.some((line) => line.vertical)) return lines;
  const ordered: Line[] = [];
  for (let i = 0; i < lines.length;) {
    let end = i + 1;
    if (lines[i]!.vertical) while (end < lines.length && lines[end]!.vertical) end++;
    const group = lines.slice(i, end);
    ordered.push(...(end - i > 1 ? toTiers(group) : group));
    i = end;
  }
  return ordered;
}

const topOf = (line: Line): number =>
  line.runs.reduce((top, run) => Math.max(top, run.y + run.height), -Infinity);
const bottomOf = (line: Line): number =>
  line.runs.reduce((low, run) => Math.min(low, run.y), Infinity);

/** A page of vertical text may have several tiers, one below the other, as in a newspaper. */
function toTiers(lines: Line[]): Line[] {
  const byTop = lines
    .map((line) => ({ line, top: topOf(line), bottom: bottomOf(line) }))
    .sort((a, b) => b.top - a.top);
  const tiers: { lines: Line[]; bottom: number }[] = [];
  for (const { line, top, bottom } of byTop) {
    const tier = tiers.at(-1);
    if (tier && top > tier.bottom) {
      tier.lines.push(line);
      tier.bottom = Math.min(tier.bottom, bottom);
    } else tiers.push({ lines: [line], bottom });
  }
  return tiers.flatMap((tier) => tier.lines.sort((a, b) => b.y - a.y));
}
