/**
 * Score of a passage found by its words, 0 to 1: the share of the question's IDF mass that stands
 * close together in
 * it, on a curve that brings it onto the scale of cosines. A workspace's threshold (0.25) is meant
 * for cosines, where
 * a passage on another matter stays below; sharing a third of the question's words is no more than
 * that.
 */
export function calibrated(share: number, curve = 2.5): number {
  const bounded = Math.max(0, Math.min(1, share));
  return bounded ** curve;
}
