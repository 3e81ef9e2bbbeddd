/** Maximum bytes of paths in one request between services, which is limited to 256 kB in total. */
const bytesAtOnce = 180_000;

/**
 * Splits a list into parts that fit into one request each; lazily, because measuring 50,000 paths
 * at once would hold up other requests.
 */
export function* splitPaths<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (part.length > 0 && (part.length === most || bytes + size > bytesAtOnce)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
