/**
 * Score of a sentence, 0 to 1: the share of the question's IDF mass that it has, on a curve that maps
 * it to the scale of cosines. A workspace's threshold (0.25) is designed for cosines, which stay
 * below it for passages on another topic; so does sharing a third of the question's words.
 */
export const calibrated = (share: number): number => Math.max(0, Math.min(1, share)) ** 2.5;
