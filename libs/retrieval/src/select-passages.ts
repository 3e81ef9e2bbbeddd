import type { RankedChunk } from "./fuse.ts";
import { NearDuplicates, type ChunkContent } from "./near-duplicates.ts";

/** Where a chunk stands, from the read model. */
export interface ChunkPlace {
  documentId: string;
  start: number;
  end: number;
}

export interface SelectedPassage extends ChunkPlace {
  /** The best of the joined chunks. */
  chunkId: string;
  /** All joined chunks, in reading order. */
  chunkIds: string[];
  score: number;
  denseScore: number | null;
  textScore: number | null;
}

/** What became of a chunk; `better`: the chunk it joined, or that says the same. */
export interface ChunkFate {
  fate: "kept" | "joined" | "below-threshold" | "duplicate" | "over-top-n";
  better: string | null;
}

export interface SelectOptions {
  threshold: number;
  topN: number;
  /** For leaving out what says the same as a better one; nothing is left out without it. */
  contentOf?: (id: string) => ChunkContent | null;
}

/** Chunks that one passage holds at most: more of them is no passage but a document. */
const mostJoined = 4;
/**
 * So many times `topN` of the best chunks may join a passage: a worse neighbour would only make it
 * longer.
 */
const joinsWithin = 3;
/** Between two chunks there is at most the white space of a paragraph. */
const gap = 4;

/**
 * The best `topN` passages of chunks at or above the threshold. Neighbours in one document (they
 * touch or overlap) become one
 * passage and take one place; what says the same as a better chunk takes none. Order: the best
 * first; a joined passage stands
 * where its best chunk stood. Chunks without a place do not exist and are left out; of all others
 * `fates` tells.
 */
export function selectPassages(
  ranked: RankedChunk[],
  places: ReadonlyMap<string, ChunkPlace>,
  { threshold, topN, contentOf }: SelectOptions,
): { passages: SelectedPassage[]; fates: Map<string, ChunkFate> } {
  const fates = new Map<string, ChunkFate>();
  const passages: SelectedPassage[] = [];
  const taken = new NearDuplicates();
  let seen = 0;
  for (const chunk of ranked) {
    const place = places.get(chunk.id);
    if (place === undefined) continue;
    if (chunk.score < threshold) {
      fates.set(chunk.id, { fate: "below-threshold", better: null });
      continue;
    }
    seen++;
    const isFull = passages.length >= topN;
    if (isFull && seen > topN * joinsWithin) {
      fates.set(chunk.id, { fate: "over-top-n", better: null });
      continue;
    }
    const content = contentOf?.(chunk.id) ?? null;
    const same = content === null ? null : taken.find(content);
    if (same !== null) {
      fates.set(chunk.id, { fate: "duplicate", better: same });
      continue;
    }
    const beside =
      seen > topN * joinsWithin
        ? undefined
        : passages.find(
            (passage) => passage.chunkIds.length < mostJoined && touches(passage, place),
          );
    if (beside === undefined && isFull) {
      fates.set(chunk.id, { fate: "over-top-n", better: null });
      continue;
    }
    if (content !== null) taken.add(chunk.id, content);
    if (beside !== undefined) {
      fates.set(chunk.id, { fate: "joined", better: beside.chunkId });
      join(beside, {
        ...place,
        chunkIds: [chunk.id],
        score: chunk.score,
        denseScore: chunk.denseScore,
        textScore: chunk.textScore,
      });
      // It may have closed the gap to another one.
      const other = passages.find(
        (passage) =>
          passage !== beside &&
          touches(passage, beside) &&
          passage.chunkIds.length + beside.chunkIds.length <= mostJoined,
      );
      if (other !== undefined) unite(passages, beside, other, fates);
    } else {
      fates.set(chunk.id, { fate: "kept", better: null });
      passages.push({
        chunkId: chunk.id,
        chunkIds: [chunk.id],
        ...placeOf(place),
        score: chunk.score,
        denseScore: chunk.denseScore,
        textScore: chunk.textScore,
      });
    }
  }
  const startOf = (id: string): number => places.get(id)!.start;
  for (const passage of passages) passage.chunkIds.sort((a, b) => startOf(a) - startOf(b));
  return { passages, fates };
}

const placeOf = ({ documentId, start, end }: ChunkPlace): ChunkPlace => ({
  documentId,
  start,
  end,
});

const touches = (one: ChunkPlace, other: ChunkPlace): boolean =>
  one.documentId === other.documentId &&
  other.start <= one.end + gap &&
  one.start <= other.end + gap;

/** The worse of the two goes into the better one, which stands first. */
function unite(
  passages: SelectedPassage[],
  one: SelectedPassage,
  other: SelectedPassage,
  fates: Map<string, ChunkFate>,
): void {
  const [better, worse] =
    passages.indexOf(one) < passages.indexOf(other) ? [one, other] : [other, one];
  join(better, worse);
  passages.splice(passages.indexOf(worse), 1);
  for (const id of worse.chunkIds) fates.set(id, { fate: "joined", better: better.chunkId });
}

function join(into: SelectedPassage, other: Omit<SelectedPassage, "chunkId">): void {
  into.start = Math.min(into.start, other.start);
  into.end = Math.max(into.end, other.end);
  into.chunkIds.push(...other.chunkIds);
  into.score = Math.max(into.score, other.score);
  into.denseScore = larger(into.denseScore, other.denseScore);
  into.textScore = larger(into.textScore, other.textScore);
}

const larger = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
