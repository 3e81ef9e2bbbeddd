/**
 * Score of a passage found by its words, 0 to 1: the share of the question's IDF mass that occurs
 * close together, on a curve that maps it to the scale of cosines. A workspace's threshold (0.25)
 * is designed for cosines, which stay below it for passages on another topic; so does sharing a
 * third of the question's words.
 */
export function calibrated(share: number, curve = 2.5): number {
  const bounded = Math.max(0, Math.min(1, share));
  return bounded ** curve;
}
