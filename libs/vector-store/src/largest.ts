/** Indexes of the largest scores above `least`, largest first; equal ones in their order. */
export function largest(scores: Int32Array | Float32Array, limit: number, least: number): number[] {
  // Collected up to twice the limit and then cut in half, so that most rows cost one comparison.
  let kept: number[] = [];
  const cut = (): void => {
    kept.sort((a, b) => scores[b]! - scores[a]! || a - b);
    kept = kept.slice(0, limit);
    if (kept.length === limit) least = scores[kept.at(-1)!]!;
  };
  for (let row = 0; row < scores.length; row++) {
    if (scores[row]! <= least) continue;
    kept.push(row);
    if (kept.length >= 2 * limit) cut();
  }
  cut();
  return kept;
}
