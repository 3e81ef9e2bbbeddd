import type { Transcript } from "./transcription-model.ts";

/** Bit rate of compressed speech (64 kbit/s), for vendors that don't report a length. */
const bytesPerSecond = 8_000;

/** Returns the length of a recording as its vendor counts it, otherwise an estimate. */
export function measureRecording(
  { seconds, segments }: Transcript,
  bytes: number,
): { seconds: number; isEstimated: boolean } {
  const known = seconds ?? segments.at(-1)?.end ?? 0;
  return known > 0
    ? { seconds: known, isEstimated: false }
    : { seconds: bytes / bytesPerSecond, isEstimated: true };
}
