import { inverseDocumentFrequency, lengthNorm, normedWeight, questionTermWeight } from "./bm25.ts";
import { largest } from "./largest.ts";
import type { TermStatistics } from "./text-index.ts";

/** About what the terms, the longest part of them, take in the heap. */
const bytesPerTerm = 80;
const bytesPerRow = 60;
/** A term that a chunk repeats more often counts this many times. */
const maxCount = 255;
/** Rows ordered before yielding to the event loop: about 1 ms. */
const rowsInTurn = 1_000;
/**
 * About what a chunk that a search found takes: its id and its list of terms, whose strings are
 * shared.
 */
const bytesPerKept = 150;
const bytesPerKeptTerm = 8;
/** Limit on the bytes of such chunks in one workspace. */
const maxKeptBytes = 16 << 20;

/** What a search returns of a chunk. */
export interface PostedChunk {
  id: string;
  terms: string[];
}

/**
 * Which chunks contain each term and how often, for searching a workspace in memory. Rows are added
 * once and never change.
 */
export class TermPostings {
  private readonly addresses: bigint[] = [];
  private readonly documents: string[] = [];
  private readonly lengths: number[] = [];
  private readonly places = new Map<string, number>();
  /** While rows are added: pairs of place and count, row by row; then by term, from `#starts`. */
  private pairs: Int32Array<ArrayBuffer> = new Int32Array(4_096);
  private used = 0;
  private readonly ends: number[] = [];
  private starts = new Int32Array(0);
  private rows = new Int32Array(0);
  private counts = new Uint8Array(0);
  /** Of each row, at this average length. */
  private norms = new Float64Array(0);
  private averageLength = -1;
  /** Of the current search. */
  private scores = new Float32Array(0);
  /** By row, as far as they were found before and fit. */
  private kept: (PostedChunk | undefined)[] = [];
  private keptBytes = 0;
  private maxKeptBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return this.addresses.length;
  }

  /** Memory it takes once it is built, including the chunks that searches will find. */
  get bytes(): number {
    return this.builtBytes + this.maxKeptBytes;
  }

  private get builtBytes(): number {
    return (
      this.rows.byteLength +
      this.counts.byteLength +
      this.places.size * bytesPerTerm +
      this.size * bytesPerRow
    );
  }

  add(address: bigint, documentId: string, terms: readonly string[]): void {
    const counts = new Map<number, number>();
    for (const term of terms) {
      let place = this.places.get(term);
      if (place === undefined) {
        place = this.places.size;
        // A substring would keep the whole joined string alive.
        this.places.set(Buffer.from(term).toString(), place);
      }
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    this.reserve(this.used + 2 * counts.size);
    for (const [place, count] of counts) {
      this.pairs[this.used++] = place;
      this.pairs[this.used++] = Math.min(count, maxCount);
    }
    this.ends.push(this.used);
    this.addresses.push(address);
    // Rows of a document follow each other and share one string.
    const last = this.documents.at(-1);
    this.documents.push(last === documentId ? last : documentId);
    this.lengths.push(terms.length);
  }

  /** Orders everything by term. To be called once, after the last row. */
  async build(): Promise<void> {
    const starts = new Int32Array(this.places.size + 1);
    for (let at = 0; at < this.used; at += 2) starts[this.pairs[at]! + 1]!++;
    for (let place = 0; place < this.places.size; place++) starts[place + 1]! += starts[place]!;
    const next = starts.slice();
    this.rows = new Int32Array(this.used / 2);
    this.counts = new Uint8Array(this.used / 2);
    for (let row = 0, at = 0; row < this.ends.length; row++) {
      if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      for (; at < this.ends[row]!; at += 2) {
        const to = next[this.pairs[at]!]!++;
        this.rows[to] = row;
        this.counts[to] = this.pairs[at + 1]!;
      }
    }
    this.starts = starts;
    this.norms = new Float64Array(this.size);
    this.scores = new Float32Array(this.size);
    this.pairs = new Int32Array(0);
    this.ends.length = 0;
    this.maxKeptBytes = Math.max(
      0,
      Math.min(
        maxKeptBytes,
        this.maxBytes - this.builtBytes,
        this.lengths.reduce((sum, length) => sum + keptBytes(length), 0),
      ),
    );
  }

  /** Rows and scores of the best chunks by BM25; `terms` repeats a term as often as the question. */
  search(
    terms: readonly string[],
    statistics: TermStatistics,
    limit: number,
    documentIds?: readonly string[],
  ): { row: number; score: number }[] {
    this.normalise(statistics.averageLength);
    const scores = this.scores.fill(0),
      norms = this.norms;
    const asked = new Map<string, number>();
    for (const term of terms) asked.set(term, (asked.get(term) ?? 0) + 1);
    for (const [term, count] of asked) {
      const place = this.places.get(term);
      if (place === undefined) continue;
      const frequency = statistics.frequencies.get(term) ?? 1;
      const weight =
        questionTermWeight(count) * inverseDocumentFrequency(frequency, statistics.documentCount);
      const rows = this.rows,
        counts = this.counts,
        end = this.starts[place + 1]!;
      for (let at = this.starts[place]!; at < end; at++) {
        const row = rows[at]!;
        scores[row]! += weight * normedWeight(counts[at]!, norms[row]!);
      }
    }
    if (documentIds) {
      const wanted = new Set(documentIds);
      for (let row = 0; row < scores.length; row++)
        if (scores[row]! > 0 && !wanted.has(this.documents[row]!)) scores[row] = 0;
    }
    const bits = new Int32Array(scores.buffer);
    return largest(bits, limit, 0).map((row) => ({ row, score: scores[row]! }));
  }

  /**
   * The chunks in these rows; `read` reads those that aren't kept by their addresses, or returns
   * null if it can't.
   */
  async chunksOf(
    rows: readonly number[],
    read: (addresses: bigint[]) => Promise<PostedChunk[] | null>,
  ): Promise<PostedChunk[] | null> {
    const kept = this.kept;
    const missing = rows.filter((row) => kept[row] === undefined);
    if (missing.length > 0) {
      const chunks = await read(missing.map((row) => this.addresses[row]!));
      if (chunks === null) return null;
      for (const [n, row] of missing.entries()) {
        kept[row] = chunks[n]!;
        this.keptBytes += keptBytes(this.lengths[row]!);
      }
    }
    const found = rows.map((row) => kept[row]!);
    if (this.keptBytes > this.maxKeptBytes) [this.kept, this.keptBytes] = [[], 0];
    return found;
  }

  private normalise(averageLength: number): void {
    if (averageLength === this.averageLength) return;
    this.averageLength = averageLength;
    for (const [row, length] of this.lengths.entries())
      this.norms[row] = lengthNorm(length, averageLength);
  }

  private reserve(length: number): void {
    if (length <= this.pairs.length) return;
    const larger = new Int32Array(Math.max(length, this.pairs.length * 2));
    larger.set(this.pairs.subarray(0, this.used));
    this.pairs = larger;
  }
}

const keptBytes = (terms: number): number => bytesPerKept + bytesPerKeptTerm * terms;
