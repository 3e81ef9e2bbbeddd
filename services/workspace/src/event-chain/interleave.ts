import type { ChainedEvent } from "./event-hash.ts";
import type { Anchor } from "./export-record.ts";

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
    // Of entries that are missing.
    ...takeAnchors(Infinity),
  ];
}
