import { inverseDocumentFrequency, lengthNorm, normedWeight, questionTermWeight } from "./bm25.ts";
import { largest } from "./largest.ts";
import { RowRegister, type SnapshotRow, type SnapshotRows } from "./snapshot-rows.ts";
import { TermLists } from "./term-lists.ts";
import type { TermStatistics, TextHit } from "./text-index.ts";

/** Of a row's id, its places in lists, and its scores. */
const bytesPerRow = 140;
/** A term that a chunk repeats more often counts this many times. */
const maxCount = 255;
/** Rows ordered before yielding to the event loop: about 1 ms. */
const rowsInTurn = 1_000;
/** Rows added since the postings were built are searched one by one: at most so many, or a share. */
const unbuilt = { rows: 256, share: 1 / 16 };
/** About what the terms of a chunk that a search found take; their strings are shared. */
const bytesPerKept = 100;
const bytesPerKeptTerm = 8;
/** Limit on the bytes of such terms in one workspace. */
const maxKeptBytes = 16 << 20;

/** The rows that contain each term, and how often. */
interface Built {
  /** Number of rows, and where each term's rows start. */
  size: number;
  starts: Int32Array;
  rows: Int32Array;
  counts: Uint8Array;
}

/** Which chunks contain each term and how often, for searching a workspace in memory. */
export class TermPostings implements SnapshotRows {
  readonly register = new RowRegister();
  private readonly lists = new TermLists();
  private built: Built = {
    size: 0,
    starts: new Int32Array(1),
    rows: new Int32Array(0),
    counts: new Uint8Array(0),
  };
  private building: Promise<void> | null = null;
  /** Of each row, at this average length. */
  private norms = new Float64Array(0);
  private normed = { averageLength: -1, size: 0 };
  /** Of the current search. */
  private scores = new Float32Array(0);
  /** By term: its place among the terms of the current search, from 1; 0 if it isn't asked for. */
  private asked = new Uint16Array(0);
  /** By row, those found last. */
  private readonly kept = new Map<number, string[]>();
  private keptBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Memory it takes, including the terms of chunks that searches will find. */
  get bytes(): number {
    return this.ownBytes + this.maxKeptBytes;
  }

  private get ownBytes(): number {
    const { rows, counts, starts } = this.built;
    return (
      rows.byteLength +
      counts.byteLength +
      starts.byteLength +
      this.lists.bytes +
      this.register.size * bytesPerRow
    );
  }

  private get maxKeptBytes(): number {
    const all = this.lists.size * bytesPerKept + this.lists.length * bytesPerKeptTerm;
    return Math.max(0, Math.min(maxKeptBytes, this.maxBytes - this.ownBytes, all));
  }

  add(row: SnapshotRow): void {
    this.register.add(row.id, row.document_id);
    this.lists.add(String(row["terms"]).split(" "));
  }

  /** Orders all rows by term. Rows may be added and searched meanwhile. */
  async build(): Promise<void> {
    const { size, vocabulary } = this.lists;
    const starts = new Int32Array(vocabulary + 1);
    const lastRow = new Int32Array(vocabulary).fill(-1);
    await inTurns(size, (row) => {
      const terms = this.lists.numbersOf(row);
      for (let n = 0, length = this.lists.lengthOf(row); n < length; n++) {
        const term = terms[n]!;
        if (lastRow[term] === row) continue;
        lastRow[term] = row;
        starts[term + 1]!++;
      }
    });
    for (let term = 0; term < vocabulary; term++) starts[term + 1]! += starts[term]!;
    const next = starts.slice();
    const rows = new Int32Array(starts[vocabulary]!);
    const counts = new Uint8Array(rows.length);
    lastRow.fill(-1);
    await inTurns(size, (row) => {
      const terms = this.lists.numbersOf(row);
      for (let n = 0, length = this.lists.lengthOf(row); n < length; n++) {
        const term = terms[n]!;
        if (lastRow[term] !== row) {
          lastRow[term] = row;
          rows[next[term]!++] = row;
        }
        const to = next[term]! - 1;
        if (counts[to]! < maxCount) counts[to]!++;
      }
    });
    this.built = { size, starts, rows, counts };
  }

  /** The best chunks by BM25; `terms` repeats a term as often as the question. */
  search(
    terms: readonly string[],
    statistics: TermStatistics,
    limit: number,
    documentIds?: readonly string[],
  ): TextHit[] {
    const { size } = this.register;
    const scores = this.prepare(size, statistics.averageLength),
      norms = this.norms,
      { starts, rows, counts } = this.built;
    const wanted = this.weigh(terms, statistics);
    for (const { term, weight } of wanted) {
      if (term + 1 >= starts.length) continue;
      for (let at = starts[term]!, end = starts[term + 1]!; at < end; at++) {
        const row = rows[at]!;
        scores[row]! += weight * normedWeight(counts[at]!, norms[row]!);
      }
    }
    this.scoreUnbuilt(wanted, scores);
    this.register.leaveOut(scores, 0, documentIds);
    const best = largest(new Int32Array(scores.buffer, 0, size), limit, 0);
    return best.map((row) => ({
      id: this.register.idOf(row),
      score: scores[row]!,
      terms: this.termsOf(row),
    }));
  }

  /** Scores, all 0. */
  private prepare(size: number, averageLength: number): Float32Array<ArrayBuffer> {
    if (this.scores.length < size) {
      const capacity = Math.ceil(size * 1.25);
      this.scores = new Float32Array(capacity);
      this.norms = new Float64Array(capacity);
      this.normed.size = 0;
    }
    const from = averageLength === this.normed.averageLength ? this.normed.size : 0;
    for (let row = from; row < size; row++)
      this.norms[row] = lengthNorm(this.lists.lengthOf(row), averageLength);
    this.normed = { averageLength, size };
    return this.scores.fill(0, 0, size);
  }

  private weigh(
    terms: readonly string[],
    statistics: TermStatistics,
  ): { term: number; weight: number }[] {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return [...counts].flatMap(([text, count]) => {
      const term = this.lists.numberOf(text);
      if (term === undefined) return [];
      const idf = inverseDocumentFrequency(
        statistics.frequencies.get(text) ?? 1,
        statistics.documentCount,
      );
      return { term, weight: questionTermWeight(count) * idf };
    });
  }

  private scoreUnbuilt(wanted: { term: number; weight: number }[], scores: Float32Array): void {
    const { size } = this.register;
    if (this.built.size === size) return;
    if (size - this.built.size > Math.max(unbuilt.rows, this.built.size * unbuilt.share))
      // If there isn't enough memory, the rows are searched one by one.
      this.building ??= this.build()
        .catch(() => undefined)
        .finally(() => (this.building = null));
    if (this.asked.length < this.lists.vocabulary)
      this.asked = new Uint16Array(Math.ceil(this.lists.vocabulary * 1.25));
    const { asked } = this;
    for (const [n, { term }] of wanted.entries()) asked[term] = n + 1;
    const counts = new Int32Array(wanted.length + 1);
    for (let row = this.built.size; row < size; row++) {
      counts.fill(0);
      const numbers = this.lists.numbersOf(row);
      for (let n = 0, length = this.lists.lengthOf(row); n < length; n++)
        counts[asked[numbers[n]!]!]!++;
      for (let n = 0; n < wanted.length; n++)
        if (counts[n + 1]! > 0)
          scores[row]! +=
            wanted[n]!.weight * normedWeight(Math.min(counts[n + 1]!, maxCount), this.norms[row]!);
    }
    for (const { term } of wanted) asked[term] = 0;
  }

  private termsOf(row: number): string[] {
    const known = this.kept.get(row);
    if (known) return known;
    const terms = this.lists.termsOf(row);
    this.kept.set(row, terms);
    this.keptBytes += keptBytes(terms.length);
    // One by one, oldest first: clearing all at once would rebuild them all.
    for (const [oldest, { length }] of this.kept) {
      if (this.keptBytes <= this.maxKeptBytes) break;
      this.kept.delete(oldest);
      this.keptBytes -= keptBytes(length);
    }
    return terms;
  }
}

const keptBytes = (terms: number): number => bytesPerKept + bytesPerKeptTerm * terms;

async function inTurns(size: number, visit: (row: number) => void): Promise<void> {
  for (let row = 0; row < size; row++) {
    if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    visit(row);
  }
}
