import type { QuotableUnit, TextBlock, TextRange } from "./quotable-units.ts";

/** Maximum characters of an excerpt; if its best unit is longer, it is just that unit. */
const maxLength = 500;
/** Gaps with tags or pictures aren't bridged, so that an excerpt contains only text. */
const notText = /[<>]|!\[/;

export interface Excerpt extends TextRange {
  /** The lines from start to end, plus those that part of a table or of code needs around it. */
  text: string;
}

/**
 * A readable excerpt of at most 500 characters around one of the text's units: whole sentences of
 * its section, or its list, table or code with its lead-in.
 */
export function excerptAround(
  text: string,
  units: readonly QuotableUnit[],
  place: number,
  most = maxLength,
): Excerpt {
  const unit = units[place]!;
  if (unit.block.kind !== "prose") return blockAround(text, units, place, most);
  let first = place,
    last = place;
  const fits = (from: number, to: number): boolean =>
    endOf(units[to]!) - startOf(units[from]!) <= most;
  const isJoined = (before: number, after: number): boolean =>
    units[before]?.section === units[after]?.section &&
    !notText.test(text.slice(endOf(units[before]!), startOf(units[after]!)));
  for (let grew = true; grew;) {
    grew = false;
    if (last + 1 < units.length && isJoined(last, last + 1) && fits(first, last + 1)) {
      last++;
      grew = true;
    }
    if (first > 0 && isJoined(first - 1, first) && fits(first - 1, last)) {
      first--;
      grew = true;
    }
  }
  return range(text, startOf(units[first]!), endOf(units[last]!));
}

function startOf({ block, outer }: QuotableUnit): number {
  if (block.kind !== "prose") return block.start;
  // The answer's first sentence is shown with the question.
  return block.lead !== null && block.lead.end <= outer.start && outer.start - block.lead.end < 4
    ? block.lead.start
    : outer.start;
}
const endOf = ({ block, outer }: QuotableUnit): number =>
  block.kind === "prose" ? outer.end : block.end;

/** The whole list, table or code with its lead-in, or as many lines around the unit as fit. */
export function blockAround(
  text: string,
  units: readonly QuotableUnit[],
  place: number,
  most: number,
): Excerpt {
  const { block } = units[place]!;
  const start = block.lead?.start ?? block.start;
  if (block.end - start <= most) return closed(text, block, range(text, start, block.end));
  let { start: from, end: to } = units[place]!.outer;
  let first = place,
    last = place;
  for (let grew = true; grew;) {
    grew = false;
    const [before, after] = [units[first - 1], units[last + 1]];
    if (after?.block === block && after.outer.end - from <= most) {
      to = after.outer.end;
      last++;
      grew = true;
    }
    if (before?.block === block && to - before.outer.start <= most) {
      from = before.outer.start;
      first--;
      grew = true;
    }
  }
  const part = range(text, from, to);
  const head =
    block.head !== null && block.head.end <= from
      ? `${text.slice(block.head.start, block.head.end)}\n`
      : "";
  return closed(text, block, { ...part, text: `${head}${part.text}` });
}

function range(text: string, start: number, end: number): Excerpt {
  const from = start + /^\s*/.exec(text.slice(start, end))![0].length;
  return { start: from, end, text: text.slice(from, end) };
}

/** Closes a block of code with the fence that opened it. */
function closed(text: string, { kind, head }: TextBlock, excerpt: Excerpt): Excerpt {
  if (kind !== "code") return excerpt;
  const mark = /[`~]{3}/.exec(text.slice(head!.start, head!.end))![0];
  const isClosed = excerpt.text.trimEnd().split(mark).length > 2;
  return isClosed ? excerpt : { ...excerpt, text: `${excerpt.text}\n${mark}` };
}
