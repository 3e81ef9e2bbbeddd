import type { Heading } from "./parsed-document.ts";

/**
 * Index of the last entry that starts at or before `position`, or -1. Entries must be sorted by
 * `start`.
 */
export function lastAtOrBefore(entries: readonly { start: number }[], position: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The headings above a position, the highest level first. */
export function headingsAt(headings: readonly Heading[], position: number): Heading[] {
  const path: Heading[] = [];
  let level = Infinity;
  for (let i = lastAtOrBefore(headings, position); i >= 0 && level > 1; i--) {
    if (headings[i]!.level < level) {
      path.unshift(headings[i]!);
      level = headings[i]!.level;
    }
  }
  return path;
}

/** The paths of the headings that start before `end`, each with where it starts to apply. */
export function headingPaths(
  headings: readonly Heading[],
  end: number,
): { path: string[]; start: number }[] {
  const open: Heading[] = [];
  return headings.slice(0, lastAtOrBefore(headings, end - 1) + 1).map((heading) => {
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    open.push(heading);
    return { path: open.map(({ title }) => title), start: heading.start };
  });
}

/** The page of a position; null without pages. */
export function pageAt(
  pages: readonly { page: number; start: number }[],
  position: number,
): number | null {
  return pages.length === 0
    ? null
    : (pages[Math.max(0, lastAtOrBefore(pages, position))]?.page ?? null);
}

/** End of the next window of a long text, between paragraphs if possible. */
export function nextWindowEnd(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  for (const border of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at > limit / 2) return at + border.length;
  }
  return (text.charCodeAt(limit) & 0xfc00) === 0xdc00 ? limit - 1 : limit;
}
