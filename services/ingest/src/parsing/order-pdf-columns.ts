import { isBlank, makeLine, type Line, type PdfRun } from "./pdf-lines.ts";

/** A piece of a line without a wide gap: a whole line, a line of one column, or a table cell. */
interface Segment {
  line: Line;
  left: number;
  right: number;
  /** Place in the order in which the page was written. */
  at: number;
}

/** More pieces are a drawing or a hostile file; comparing them with each other would take long. */
const maxSegments = 5_000;
const maxDepth = 6;
/** Narrowest gap between columns, in font sizes. */
const gutterWidth = 0.8;

/**
 * Puts columns that were written line by line, across the page, one after the other. Everything
 * else, tables above all, keeps the order in which it was written.
 */
export function orderColumns(lines: Line[], isRightToLeft: boolean): Line[] {
  const segments = lines.flatMap(toSegments).map((segment, at) => ({ ...segment, at }));
  if (segments.length > maxSegments || segments.length < 6) return lines;
  const ordered = order(segments, isRightToLeft, 0);
  // Untouched lines stay whole.
  if (ordered.every((segment, i) => segment.at === i)) return lines;
  return joinAdjacent(ordered);
}

/** Splits runs at the wide gaps that printed plain text has: three or more spaces. */
function splitAtSpaces(run: PdfRun): PdfRun[] {
  if (!/\S\s{3,}\S/.test(run.text)) return [run];
  const perCharacter = run.width / run.text.length;
  return [...run.text.matchAll(/\S+(?:\s{1,2}\S+)*/g)].map((match) => ({
    ...run,
    text: match[0],
    x: run.x + match.index * perCharacter,
    width: match[0].length * perCharacter,
    endsLine: false,
  }));
}

function toSegments(line: Line): Omit<Segment, "at">[] {
  const isPlain = !line.vertical && line.runs.every((run) => run.upright || isBlank(run));
  const groups: { runs: PdfRun[]; left: number; right: number }[] = [];
  const runs = isPlain
    ? line.runs
        .filter((run) => run.text !== "")
        .flatMap(splitAtSpaces)
        .sort((a, b) => a.x - b.x)
    : line.runs;
  for (const run of runs) {
    const last = groups.at(-1);
    const right = run.x + run.width;
    if (isBlank(run)) {
      last?.runs.push(run);
    } else if (!last || (isPlain && run.x - last.right > gutterWidth * line.size)) {
      groups.push({ runs: [run], left: run.x, right });
    } else {
      last.runs.push(run);
      last.left = Math.min(last.left, run.x);
      last.right = Math.max(last.right, right);
    }
  }
  return groups.map(({ runs: part, left, right }) => ({
    line: groups.length === 1 ? line : (makeLine(part) ?? line),
    left,
    right,
  }));
}

function order(segments: Segment[], isRightToLeft: boolean, depth: number): Segment[] {
  const gutter = depth < maxDepth ? findGutter(segments) : null;
  if (gutter === null) return segments;
  const ordered: Segment[] = [];
  for (const band of toBands(segments, gutter)) {
    const left = band.filter((segment) => segment.right <= gutter);
    const right = band.filter((segment) => segment.right > gutter);
    if (!areColumns(left, right)) {
      ordered.push(...band);
      continue;
    }
    for (const row of toRows(left, right)) {
      const sides = [row.left, row.right].map((side) => order(side, isRightToLeft, depth + 1));
      if (isRightToLeft) sides.reverse();
      ordered.push(...sides.flat());
    }
  }
  return ordered;
}

/** The x at which most neighbours on a line have a gap between them; null without three. */
function findGutter(segments: Segment[]): number | null {
  const byTop = [...segments].sort((a, b) => b.line.y - a.line.y);
  const edges: { x: number; opens: boolean }[] = [];
  for (const [i, segment] of byTop.entries()) {
    let nearest = Infinity;
    // The columns' baselines needn't be the same.
    const reach = 0.75 * segment.line.size;
    const consider = (other: Segment): void => {
      if (other !== segment && other.left >= segment.right) nearest = Math.min(nearest, other.left);
    };
    for (let j = i + 1; j < byTop.length && segment.line.y - byTop[j]!.line.y < reach; j++)
      consider(byTop[j]!);
    for (let j = i - 1; j >= 0 && byTop[j]!.line.y - segment.line.y < reach; j--)
      consider(byTop[j]!);
    if (nearest - segment.right > gutterWidth * segment.line.size && nearest < Infinity)
      edges.push({ x: segment.right, opens: true }, { x: nearest, opens: false });
  }
  edges.sort((a, b) => a.x - b.x || Number(b.opens) - Number(a.opens));
  let open = 0;
  let most = 2;
  let gutter: number | null = null;
  for (const [i, edge] of edges.entries()) {
    open += edge.opens ? 1 : -1;
    if (edge.opens && open > most) {
      most = open;
      gutter = (edge.x + edges[i + 1]!.x) / 2;
    }
  }
  return gutter;
}

/** Pieces between lines that cross the gutter, in the order in which they were written. */
function toBands(segments: Segment[], gutter: number): Segment[][] {
  const crosses = (segment: Segment): boolean => segment.left < gutter && segment.right > gutter;
  const borders = segments
    .filter(crosses)
    .map((segment) => segment.line.y)
    .sort((a, b) => b - a);
  const bandOf = (y: number): number => {
    let [low, high] = [0, borders.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (borders[middle]! > y) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const bands: { key: number; segments: Segment[] }[] = [];
  for (const segment of segments) {
    const key = crosses(segment) ? -1 : bandOf(segment.line.y);
    const last = bands.at(-1);
    if (last && last.key === key) last.segments.push(segment);
    else bands.push({ key, segments: [segment] });
  }
  return bands.map((band) => band.segments);
}

const share = <T>(items: readonly T[], test: (item: T, index: number) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length;
const median = (numbers: number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Whether both sides are running text and were written in turns. */
function areColumns(left: Segment[], right: Segment[]): boolean {
  if (left.length < 3 || right.length < 3) return false;
  const turns = [
    ...left.map((s) => ({ at: s.at, side: 0 })),
    ...right.map((s) => ({ at: s.at, side: 1 })),
  ]
    .sort((a, b) => a.at - b.at)
    .reduce((count, piece, i, all) => count + Number(i > 0 && all[i - 1]!.side !== piece.side), 0);
  if (turns < Math.max(3, Math.min(left.length, right.length))) return false;
  return isProse(left) && isProse(right);
}

const isUncased =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}]/u;
const wordsIn = (text: string): number =>
  Math.max(
    text.trim().split(/\s+/).length,
    (text.match(/[\u3040-\u9fff\uac00-\ud7af]/g)?.length ?? 0) / 2,
  );

/**
 * Sentences continue from line to line, so most lines begin with a small letter. Cells of a table
 * are short, or begin with capitals or numbers; labels of a form end with colons.
 */
function isProse(side: Segment[]): boolean {
  const texts = side.map(({ line }) =>
    line.runs
      .map((run) => run.text)
      .join(" ")
      .trim(),
  );
  if (median(texts.map(wordsIn)) < 3 && median(texts.map((text) => text.length)) < 20) return false;
  const all = texts.join("").replaceAll(/\s/g, "");
  if ((all.match(/[\p{L}\p{M}]/gu)?.length ?? 0) < 0.75 * all.length) return false;
  if (texts.some((text) => /(?:\.\s?){5,}|…{2,}|_{4,}/.test(text))) return false;
  if (share(texts, (text) => text.endsWith(":")) > 0.3) return false;
  const widths = side.map((segment) => segment.right - segment.left);
  if (median(widths) < 0.75 * Math.max(...widths)) return false;
  if (share(texts, (text) => isUncased.test(text)) > 0.5)
    return share(texts, (text) => /[.。!?！？:：؟]$/u.test(text)) < 0.5;
  return (
    share(
      texts.slice(1),
      (text, i) => /^[("'„“«]?\p{Ll}/u.test(text) || /\p{L}[-\u2010\u00ad]$/u.test(texts[i]!),
    ) >= 0.4
  );
}

/**
 * Rows of a table whose cells hold several lines: both sides have wider gaps, at the same heights.
 * Columns are one row.
 */
function toRows(left: Segment[], right: Segment[]): { left: Segment[]; right: Segment[] }[] {
  const [a, b] = [rowStarts(left), rowStarts(right)];
  const shared = a.filter((y) => b.some((other) => Math.abs(other - y) < 2));
  if (shared.length < 2 || shared.length < 0.8 * Math.max(a.length, b.length))
    return [{ left, right }];
  return [Infinity, ...shared].map((top, i) => {
    const inRow = ({ line }: Segment): boolean =>
      line.y <= top + 2 && line.y > (shared[i] ?? -Infinity) + 2;
    return { left: left.filter(inRow), right: right.filter(inRow) };
  });
}

/** Heights of the lines that follow a gap wider than between most lines. */
function rowStarts(side: Segment[]): number[] {
  const ys = side.map((segment) => segment.line.y).sort((a, b) => b - a);
  const gaps = ys.slice(1).map((y, i) => ys[i]! - y);
  const usual = median(gaps);
  return ys.slice(1).filter((_, i) => gaps[i]! > 1.3 * usual);
}

/** Joins pieces of one line that still follow each other. */
function joinAdjacent(segments: Segment[]): Line[] {
  const lines: Line[] = [];
  let previous: Segment | null = null;
  for (const segment of segments) {
    const last = lines.at(-1);
    if (
      previous &&
      last &&
      segment.at === previous.at + 1 &&
      segment.line.y === previous.line.y &&
      segment.left > previous.right &&
      !last.vertical
    )
      lines[lines.length - 1] = makeLine([...last.runs, ...segment.line.runs]) ?? last;
    else lines.push(segment.line);
    previous = segment;
  }
  return lines;
}
