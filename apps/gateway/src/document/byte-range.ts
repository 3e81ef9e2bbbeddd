/** Both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the single range a Range header requests out of `bytes` bytes. null: send the whole file
 * (no header, several ranges or another unit, which RFC 9110 lets a server ignore); 'impossible':
 * 416.
 */
export function readRange(
  header: string | undefined,
  bytes: number,
): ByteRange | null | "impossible" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return null;
  if (match[1] === "") {
    const length = Number(match[2]);
    return length === 0 || bytes === 0
      ? "impossible"
      : { start: Math.max(0, bytes - length), end: bytes - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? bytes - 1 : Math.min(Number(match[2]), bytes - 1);
  if (start >= bytes) return "impossible";
  return start > end ? null : { start, end };
}
