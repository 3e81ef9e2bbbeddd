/*
 * Citation marks look like [1] or [1, 3]. A mark whose number has no source is not shown. Code
 * spans, fences and the
 * labels of links (`[1](…)`) are never touched.
 */
const markOrCode = /(`+)|([ \t]*)\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\](?!\()/g;
/**
 * What may still become a mark or a fence when more text arrives, with the blanks before it: they
 * go with a mark that is dropped.
 */
const openTail = /(?:[ \t]*\[[\d,\s]{0,40}\]?|[ \t]+|`+)$/;

/**
 * Keeps the numbers of a mark that have a source, each once.
 * @returns the mark to show, or '' when none is left.
 */
export function keepKnownNumbers(numbers: string, sourceCount: number): string {
  const known = [...new Set(numbers.split(",").map(Number))].filter(
    (n) => n >= 1 && n <= sourceCount,
  );
  return known.length === 0 ? "" : `[${known.join(", ")}]`;
}

/**
 * Filters an answer that arrives in pieces; what might be the start of a mark is held back until it
 * is clear.
 */
export class CitationFilter {
  private held = "";
  /** Length of the run of backticks that opened the code we are in; 0 outside of code. */
  private fence = 0;

  /** @param sourceCount read at each mark, so that the filter can exist before the sources do */
  constructor(private readonly sourceCount: () => number) {}

  /** @returns the text that can be shown now. */
  push(delta: string): string {
    const text = this.held + delta;
    const tail = openTail.exec(text);
    const cut = tail === null ? text.length : tail.index;
    this.held = text.slice(cut);
    return this.filter(text.slice(0, cut));
  }

  /** @returns what was held back; nothing is held afterwards. */
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
        return kept === "" ? "" : blanks + kept;
      },
    );
  }
}

/** The same for a whole text. */
export function numberCitations(text: string, sourceCount: number): string {
  const filter = new CitationFilter(() => sourceCount);
  return filter.push(text) + filter.end();
}
