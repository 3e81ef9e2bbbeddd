/** Text tokens between two timestamps, in seconds from the start of the window. */
export interface TokenSegment {
  start: number;
  end: number;
  tokens: number[];
}

/** Step between two timestamp tokens. */
const secondsPerStep = 0.02;
/**
 * If the model closed its last segment before this share of the window, the whole window counts as
 * transcribed.
 */
const leastProgress = 0.5;

/**
 * Splits what the model generated for a window at its timestamps. `consumed` is where the next
 * window starts: a segment that the window cut off is dropped and transcribed again, whole (as in
 * OpenAI's transcribe.py).
 */
export function readSegments(
  tokens: readonly number[],
  firstTimestamp: number,
  windowSeconds: number,
): { segments: TokenSegment[]; consumed: number } {
  const segments: TokenSegment[] = [];
  let open: TokenSegment | null = null;
  for (const token of tokens) {
    if (token < firstTimestamp) {
      open ??= { start: segments.at(-1)?.end ?? 0, end: windowSeconds, tokens: [] };
      open.tokens.push(token);
      continue;
    }
    const seconds = Math.min((token - firstTimestamp) * secondsPerStep, windowSeconds);
    if (open !== null && open.tokens.length > 0) {
      segments.push({ ...open, end: Math.max(open.start, seconds) });
      open = null;
    } else open = { start: seconds, end: windowSeconds, tokens: [] };
  }
  // Ends with one timestamp: no speech follows in this window.
  if (open === null) return { segments, consumed: windowSeconds };
  const lastEnd = segments.at(-1)?.end ?? 0;
  if (lastEnd >= leastProgress) return { segments, consumed: lastEnd };
  return {
    segments: open.tokens.length > 0 ? [...segments, open] : segments,
    consumed: windowSeconds,
  };
}
