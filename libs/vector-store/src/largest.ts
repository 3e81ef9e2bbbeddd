/**
 * Indexes of the largest scores above `least`, largest first; equal ones in their order. Floats that
 * aren't negative can be given as their bits, which have the same order.
 */
export function largest(scores: Int32Array, limit: number, least: number): number[] {
  // A heap with the worst of them on top, so that most rows cost one comparison.
  const heap = new Int32Array(Math.min(limit, scores.length));
  let size = 0;
  const isWorse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b);
  const sink = (row: number, from: number): void => {
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isWorse(heap[child + 1]!, heap[child]!)) child++;
      if (!isWorse(heap[child]!, row)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = row;
  };
  for (let row = 0; row < scores.length; row++) {
    if (scores[row]! <= least) continue;
    if (size < heap.length) {
      heap[size++] = row;
      if (size < heap.length) continue;
      for (let at = (size >> 1) - 1; at >= 0; at--) sink(heap[at]!, at);
    } else sink(row, 0);
    least = scores[heap[0]!]!;
  }
  return [...heap.subarray(0, size)].sort((a, b) => scores[b]! - scores[a]! || a - b);
}
