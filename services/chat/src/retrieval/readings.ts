import type { Out, Passage, searchPassages } from "@carrel/contracts";
import type { Context } from "./follow-up.ts";
import { contains, dropContainedPassages } from "./select-sources.ts";

/** Passages that a question finds when read alone, or with the previous question as its context. */
export interface Reading {
  context: Context;
  /** Best first. */
  passages: Passage[];
  /** The words that were searched for; none if the passages don't come from a search. */
  searched: Out<typeof searchPassages>["searched"];
}

/**
 * Merges what the readings of a question found, the likelier reading first: its passages keep their
 * places, but the best of the other one is always included, because no guess from a question's form
 * is always right. At most `topN` passages.
 */
export function mergeReadings(readings: readonly Reading[], topN: number): Passage[] {
  const [first, second] = readings.map(({ passages }) => dropContainedPassages(passages));
  if (first === undefined || second === undefined) return first ?? [];
  const added = second.filter(
    (passage) => !first.some((other) => contains(other, passage) || contains(passage, other)),
  );
  const reserved = Math.min(added.length, Math.floor(topN / 4) || Math.min(1, topN - 1));
  return [...first.slice(0, topN - reserved), ...added].slice(0, topN);
}
