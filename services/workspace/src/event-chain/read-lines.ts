import { isUtf8 } from "node:buffer";
import type { Anchor } from "./export-record.ts";
import type { ChainedEvent } from "./signing.ts";

/** Longer than any line that Carrel writes. */
const longestLine = 8 * 1024 * 1024;

/** Not UTF-8, or longer than any line may be. */
export class NotALineError extends Error {
  override readonly name = "NotALineError";
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new NotALineError("not UTF-8");
  return bytes.toString("utf8");
}

/** Lines of UTF-8 text without their line feed, in memory one at a time. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield decode(Buffer.concat([...rest, chunk.subarray(from, at)]));
      rest = [];
      length = 0;
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longestLine) throw new NotALineError("too long");
  }
  if (length > 0) yield decode(Buffer.concat(rest));
}

/** Entries in their order, each followed by the anchors that cover it. */
export function interleave(
  events: readonly ChainedEvent[],
  anchors: readonly Anchor[],
): (Anchor | ({ type: "event" } & ChainedEvent))[] {
  let next = 0;
  const takeAnchors = (upTo: number): Anchor[] => {
    const from = next;
    while (next < anchors.length && anchors[next]!.sequence <= upTo) next += 1;
    return anchors.slice(from, next);
  };
  return [
    ...events.flatMap((event) => [
      { type: "event" as const, ...event },
      ...takeAnchors(event.sequence),
    ]),
    // Anchors of missing entries.
    ...takeAnchors(Infinity),
  ];
}
