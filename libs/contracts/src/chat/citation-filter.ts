/*
 * Citation marks look like [1] or [1, 3]. A mark whose number has no source is not shown. Code
 * spans, fences and link labels (`[1](…)`) are never touched.
 */
const markOrCode = /(`+)|([ \t]{0,64})\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\](?!\()/g;
/** A mark that may continue, at the end of the text. */
const openMark = /\[[\d,\s]{0,40}\]?$/;
const longestMark = 42;
/** Whitespace dropped along with the mark it precedes; any more is kept. */
const maxBlanks = 64;

/**
 * Start of a tail that may become a mark or a fence when more text arrives, including the
 * whitespace before it. Looks only at the end, because an answer arrives in many pieces; the first
 * `heldLength` characters were held back before.
 */
function findOpenTail(text: string, heldLength: number): number {
  let start = text.length;
  while (start > heldLength && text[start - 1] === "`") start -= 1;
  // If the held-back text starts with a backtick, all of it is a run of backticks.
  if (start === heldLength && text[0] === "`") return 0;
  if (start < text.length) return start;
  const end = Math.max(0, text.length - longestMark);
  start = end + (openMark.exec(text.slice(end))?.index ?? text.length - end);
  for (let blanks = 0; blanks < maxBlanks && /[ \t]/.test(text[start - 1] ?? ""); blanks += 1)
    start -= 1;
  return start;
}

/**
 * Keeps the numbers of a mark that have a source, without duplicates.
 * @returns the mark to show, or '' if no number is left
 */
export function keepKnownNumbers(numbers: string, sourceCount: number): string {
  const known = [...new Set(numbers.split(",").map(Number))].filter(
    (n) => n >= 1 && n <= sourceCount,
  );
  return known.length === 0 ? "" : `[${known.join(", ")}]`;
}

/**
 * Filters an answer that arrives in pieces; a possible start of a mark is held back until it is
 * complete.
 */
export class CitationFilter {
  private held = "";
  /** Length of the backtick run that opened the current code span or fence; 0 outside of code. */
  private fence = 0;

  /**
   * @param sourceCount called for each mark, so that the filter can be created before the sources
   * are known
   * @param onMark receives the numbers of each mark that is shown, separated by commas
   */
  constructor(
    private readonly sourceCount: () => number,
    private readonly onMark: (numbers: string) => void = () => undefined,
  ) {}

  /** @returns the text that can be shown now */
  push(delta: string): string {
    const text = this.held + delta;
    const cut = findOpenTail(text, this.held.length);
    this.held = text.slice(cut);
    return this.filter(text.slice(0, cut));
  }

  /** @returns the text held back */
  end(): string {
    const text = this.held;
    this.held = "";
    return this.filter(text);
  }

  private filter(text: string): string {
    if (!text.includes("[") && !text.includes("`")) return text;
    return text.replace(
      markOrCode,
      (found: string, ticks: string | undefined, blanks: string, numbers: string) => {
        if (ticks !== undefined) {
          if (this.fence === 0) this.fence = ticks.length;
          else if (this.fence === ticks.length) this.fence = 0;
          return found;
        }
        if (this.fence > 0) return found;
        const kept = keepKnownNumbers(numbers, this.sourceCount());
        if (kept === "") return "";
        this.onMark(kept.slice(1, -1));
        return blanks + kept;
      },
    );
  }
}

/** Filters a complete text. */
export function numberCitations(text: string, sourceCount: number): string {
  const filter = new CitationFilter(() => sourceCount);
  return filter.push(text) + filter.end();
}

/** The numbers of the sources that a complete text cites, in ascending order. */
export function listCitedNumbers(text: string, sourceCount: number): number[] {
  const cited = new Set<number>();
  const filter = new CitationFilter(
    () => sourceCount,
    (numbers) => {
      for (const number of numbers.split(",")) cited.add(Number(number));
    },
  );
  filter.push(text);
  filter.end();
  return [...cited].toSorted((one, other) => one - other);
}
