/** Heights in em as KaTeX draws them: of a line, and of one with a fraction or with limits. */
const plain = 1.6;
const withFraction = 2.45;
const withLimits = 3.8;
/** A formula scrolls to the side, never down, so only what it says makes it tall. */
const most = 60;

function rowHeight(row: string): number {
  if (/\\(?:sum|prod|bigcup|bigcap)(?![a-z])/i.test(row)) return withLimits;
  return /\\(?:[dtc]?frac|[dt]?binom|int|lim)(?![a-z])/i.test(row) ? withFraction : plain;
}

/**
 * Estimated height in em of a formula that is set apart, so that little moves when the drawn formula
 * takes the place of its source.
 */
export const formulaHeight = (source: string): number =>
  Math.min(
    most,
    source.split("\\\\").reduce((sum, row) => sum + rowHeight(row), 0),
  );
