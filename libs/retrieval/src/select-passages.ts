import type { RankedChunk } from "./fuse.ts";

/** Length of the term sequences to compare: texts on one topic share words, but few sequences. */
const rowLength = 4;
/** Share of the shorter text's sequences that the other must contain to count as a duplicate. */
const sameFrom = 0.85;
/** Texts with fewer sequences must match in all terms. */
const minRows = 8;

/**
 * A chunk's content for comparison: its terms as numbers (`termNumbers`) in order, null if only
 * vectors found it.
 */
interface ChunkContent {
  hash: string;
  terms: Int32Array | null;
}

/**
 * Tracks the content of chunks selected so far to skip near duplicates: copies of a text in other
 * files, files that differ in a date, and footers or notices repeated in a hundred documents.
 */
export class NearDuplicates {
  private readonly hashes = new Map<string, string>();
  private readonly rows = new Map<number, string[]>();
  private readonly sizes = new Map<string, number>();
  /** The last lookup; its content is often added next. */
  private last: { content: ChunkContent; rows: Set<number> | null } | null = null;

  /** Id of a selected chunk with the same content, or null. */
  find(content: ChunkContent): string | null {
    const equal = this.hashes.get(content.hash);
    if (equal !== undefined) return equal;
    const rows = this.rowsOf(content);
    if (rows === null || rows.size < minRows) return null;
    const shared = new Map<string, number>();
    for (const row of rows)
      for (const id of this.rows.get(row) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    for (const [id, count] of shared)
      if (count >= sameFrom * Math.min(rows.size, this.sizes.get(id)!)) return id;
    return null;
  }

  add(id: string, content: ChunkContent): void {
    if (!this.hashes.has(content.hash)) this.hashes.set(content.hash, id);
    const rows = this.rowsOf(content);
    if (rows === null || rows.size < minRows) return;
    this.sizes.set(id, rows.size);
    for (const row of rows) {
      const ids = this.rows.get(row);
      if (ids === undefined) this.rows.set(row, [id]);
      else ids.push(id);
    }
  }

  private rowsOf(content: ChunkContent): Set<number> | null {
    if (this.last?.content !== content)
      this.last = { content, rows: content.terms === null ? null : makeRows(content.terms) };
    return this.last.rows;
  }
}

/** A hash of each sequence, which is cheaper than joining terms and collides once in 2³⁰ pairs. */
function makeRows(terms: Int32Array): Set<number> {
  const rows = new Set<number>();
  for (let start = 0; start + rowLength <= terms.length; start++) {
    let hash = 0;
    for (let at = start; at < start + rowLength; at++)
      hash = Math.imul((hash ^ terms[at]!) + (hash >>> 15), 0x9e3779b1);
    // Without the upper bits, V8 stores it in place instead of as an object.
    rows.add(hash & 0x3fffffff);
  }
  return rows;
}

/** Position of a chunk, from the read model. */
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

/** What happened to a chunk; `better`: the chunk it was joined with or duplicates. */
export interface ChunkFate {
  readonly fate: "kept" | "joined" | "below-threshold" | "duplicate" | "over-top-n";
  readonly better: string | null;
}

export interface SelectOptions {
  threshold: number;
  topN: number;
  /** Content for detecting duplicates; without it, none are removed. */
  contentOf?: (id: string) => ChunkContent | null;
}

/** Maximum chunks in a passage; any more would be a document rather than a passage. */
const maxJoined = 4;
/**
 * Only the best chunks, this many times `topN`, may join a passage: a worse neighbour only makes it
 * longer.
 */
const joinsWithin = 3;
/** Maximum gap in characters between two chunks: the white space between paragraphs. */
const gap = 4;
/** Shared, because most candidates have one of these. */
const belowThreshold: ChunkFate = { fate: "below-threshold", better: null };
const overTopN: ChunkFate = { fate: "over-top-n", better: null };

/**
 * Selects the best `topN` passages from chunks at or above the threshold. Adjacent or overlapping
 * chunks of a document become one passage and count once; duplicates of a better chunk don't count.
 * Best first; a joined passage ranks where its best chunk did. Chunks without a place no longer
 * exist and are left out; `fates` covers all others.
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
      fates.set(chunk.id, belowThreshold);
      continue;
    }
    seen++;
    const isFull = passages.length >= topN;
    if (isFull && seen > topN * joinsWithin) {
      fates.set(chunk.id, overTopN);
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
            (passage) => passage.chunkIds.length < maxJoined && touches(passage, place),
          );
    if (beside === undefined && isFull) {
      fates.set(chunk.id, overTopN);
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
      // It may have closed the gap to another passage.
      const other = passages.find(
        (passage) =>
          passage !== beside &&
          touches(passage, beside) &&
          passage.chunkIds.length + beside.chunkIds.length <= maxJoined,
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

/** Merges the worse passage into the better one, which comes first. */
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
