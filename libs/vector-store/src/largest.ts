/** Number of score ranges counted at once, as a power of 2. */
const rangeBits = 11;
/** Larger ranges are divided again, because the scores in the last one have to be sorted. */
const fewInRange = 64;
/**
 * Row numbers are below this, so that one fits into an exact number together with a 32-bit score.
 */
const rowValues = 2 ** 21;

/**
 * Indexes of the largest scores above `least`, largest first; equal scores keep their order. At
 * most two million scores. Floats that aren't negative can be given as their bits, which have the
 * same order.
 */
export function largest(scores: Int32Array, limit: number, least: number): number[] {
  const cut = lowestOf(scores, limit, least);
  // Native sorting of numbers takes a tenth of sorting with a function.
  const found: number[] = [];
  for (let row = 0; row < scores.length; row++)
    if (scores[row]! >= cut) found.push(scores[row]! * rowValues + (rowValues - 1 - row));
  const sorted = Float64Array.from(found).sort();
  const rows: number[] = [];
  for (let at = sorted.length - 1; at >= 0 && rows.length < limit; at--) {
    const packed = sorted[at]!;
    rows.push(rowValues - 1 - (packed - Math.floor(packed / rowValues) * rowValues));
  }
  return rows;
}

/** A score that the `limit` largest scores reach, and few others do. */
function lowestOf(scores: Int32Array, limit: number, least: number): number {
  let low = Infinity,
    high = -Infinity,
    size = 0;
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row]!;
    if (score <= least) continue;
    size++;
    if (score < low) low = score;
    if (score > high) high = score;
  }
  let wanted = limit;
  while (size > wanted + fewInRange && low < high) {
    // Counts the scores in each range from `low` to `high`, then narrows to the range that holds
    // the last one wanted.
    const shift = Math.max(0, 32 - Math.clz32(high - low) - rangeBits);
    const counts = new Int32Array(1 << rangeBits);
    for (let row = 0; row < scores.length; row++) {
      const score = scores[row]!;
      if (score >= low && score <= high) counts[(score - low) >>> shift]!++;
    }
    let range = (high - low) >>> shift;
    while (counts[range]! < wanted) wanted -= counts[range--]!;
    size = counts[range]!;
    low += range * 2 ** shift;
    high = Math.min(high, low + 2 ** shift - 1);
  }
  return low;
}
