/**
 * Bytes of paths in one request between services, which holds 256 kB with what else belongs to it.
 */
const bytesAtOnce = 180_000;

/** Lists that are too long for one request, cut into parts that are not. */
export function splitPaths<Item>(items: readonly Item[], most: number): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (part.length > 0 && (part.length === most || bytes + size > bytesAtOnce)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
