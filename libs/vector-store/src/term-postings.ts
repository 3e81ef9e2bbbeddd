import type { RecordBatch } from "apache-arrow";
import {
  byScore,
  inverseDocumentFrequency,
  lengthNorm,
  normedWeight,
  questionTermWeight,
} from "./bm25.ts";
import { bytesColumn, integerColumn, textColumn } from "./change-log.ts";
import { largest } from "./largest.ts";
import { buildSegment, rangeOf, segmentBytes, type PostingSegment } from "./posting-segment.ts";
import { Int32List, RowRegister } from "./row-register.ts";
import type { SnapshotRows } from "./snapshot-memory.ts";
import { Pause } from "./store-breaker.ts";
import { TermLists } from "./term-lists.ts";
import type { TermStatistics, TextHit } from "./vector-store.ts";

/** Rows since the last segment are searched one by one, until there are this many. */
const unbuiltRows = 256;
/** A new segment includes previous ones unless they are at least this many times as large. */
const segmentGrowth = 3;
/** Approximate bytes for the terms of a chunk found by a search; their strings are shared. */
const bytesPerKept = 100;
const bytesPerKeptTerm = 8;
/** Limit on the bytes of such terms in one workspace. */
const maxKeptBytes = 16 << 20;

/** Which chunks contain each term and how often, for searching a workspace in memory. */
export class TermPostings implements SnapshotRows {
  readonly register = new RowRegister();
  private readonly lists = new TermLists();
  /** Segments of consecutive rows, starting with the first row. */
  private segments: PostingSegment[] = [];
  private building: Promise<void> | null = null;
  /** By term, the number of chunks that contain it; by term, the last chunk counted plus 1. */
  private readonly frequencies = new Int32List();
  private readonly counted = new Int32List();
  private totalLength = 0;
  /** Length norms by chunk length, for this average length. */
  private norms = new Float64Array(0);
  private normedFor = -1;
  private longest = 0;
  /** Scores in the current search. */
  private scores = new Float32Array(0);
  /** By term: its index among the terms of the current search, from 1; 0 if it isn't among them. */
  private asked = new Uint16Array(0);
  /** By row: terms of the rows found last. */
  private readonly kept = new Map<number, string[]>();
  private keptBytes = 0;

  get bytes(): number {
    let segments = 0;
    for (const segment of this.segments) segments += segmentBytes(segment);
    return (
      segments +
      this.lists.bytes +
      this.register.bytes +
      this.frequencies.bytes * 2 +
      this.scores.byteLength +
      this.maxKept
    );
  }

  private get maxKept(): number {
    const all = this.lists.size * bytesPerKept + this.lists.length * bytesPerKeptTerm;
    return Math.min(maxKeptBytes, all);
  }

  /** Rows added since postings were last built. */
  private get unbuilt(): number {
    return this.register.size - this.built;
  }
  private get built(): number {
    const last = this.segments.at(-1);
    return last ? last.first + last.size : 0;
  }

  adder(batch: RecordBatch): (row: number) => void {
    const id = textColumn(batch, "id"),
      document = textColumn(batch, "document_id"),
      terms = bytesColumn(batch, "terms"),
      versions = integerColumn(batch, "version");
    return (row) => this.add(id(row), document(row), versions[row]!, terms(row));
  }

  /** `terms` are UTF-8, separated by spaces. */
  add(id: string, documentId: string, version: number, terms: Uint8Array): void {
    const replaced = this.register.find(id);
    if (replaced >= 0) this.remove(replaced);
    const row = this.register.add(id, documentId, version);
    this.lists.add(terms);
    while (this.frequencies.length < this.lists.vocabulary) {
      this.frequencies.push(0);
      this.counted.push(0);
    }
    this.longest = Math.max(this.longest, this.lists.lengthOf(row));
    this.count(row, 1);
  }

  remove(row: number): void {
    if (this.register.isGone(row)) return;
    this.register.remove(row);
    this.count(row, -1);
  }

  private count(row: number, by: 1 | -1): void {
    const length = this.lists.lengthOf(row),
      numbers = this.lists.numbersOf(row),
      frequencies = this.frequencies.values,
      counted = this.counted.values;
    this.totalLength += by * length;
    const mark = by * (row + 1);
    for (let n = 0; n < length; n++) {
      const term = numbers[n]!;
      if (counted[term] === mark) continue;
      counted[term] = mark;
      frequencies[term]! += by;
    }
  }

  statistics(terms: readonly string[]): TermStatistics {
    const documentCount = this.register.count;
    const frequencies = new Map<string, number>();
    for (const term of terms) {
      const number = this.lists.numberOf(term);
      const count = number === undefined ? 0 : this.frequencies.values[number]!;
      if (count > 0) frequencies.set(term, count);
    }
    return {
      documentCount,
      frequencies,
      averageLength: documentCount > 0 ? this.totalLength / documentCount : 0,
    };
  }

  /** Builds postings for rows that have none. Rows may be added and searched meanwhile. */
  build(): Promise<void> {
    return (this.building ??= this.buildUnbuilt().finally(() => (this.building = null)));
  }

  private async buildUnbuilt(): Promise<void> {
    let size = this.unbuilt,
      kept = this.segments.length;
    if (size === 0) return;
    while (kept > 0 && this.segments[kept - 1]!.size < segmentGrowth * size)
      size += this.segments[--kept]!.size;
    const first = this.register.size - size;
    const isGone = (row: number): boolean => this.register.isGone(row);
    const segment = await buildSegment(this.lists, first, size, isGone, new Pause());
    this.segments = [...this.segments.slice(0, kept), segment];
  }

  /** The best chunks by BM25; `terms` repeats a term as often as the question does. */
  search(
    terms: readonly string[],
    statistics: TermStatistics,
    limit: number,
    documentIds?: readonly string[],
  ): TextHit[] {
    const { size } = this.register;
    const scores = this.prepare(size, statistics.averageLength);
    const wanted = this.weigh(terms, statistics);
    for (const segment of this.segments) this.scoreSegment(segment, wanted, scores);
    this.scoreUnbuilt(wanted, scores);
    this.register.leaveOut(scores, 0, documentIds);
    const best = largest(new Int32Array(scores.buffer, 0, size), limit, 0);
    // Scores above have single precision, where a different order of addition changes the result.
    const hits: TextHit[] = [];
    this.scoreRows(wanted, best, (row, score) =>
      hits.push({ id: this.register.idOf(row), score, terms: this.termsOf(row) }),
    );
    return hits.sort(byScore);
  }

  /** Returns the scores, all 0. */
  private prepare(size: number, averageLength: number): Float32Array<ArrayBuffer> {
    if (this.scores.length < size) this.scores = new Float32Array(Math.ceil(size * 1.25));
    if (averageLength !== this.normedFor || this.norms.length <= this.longest) {
      this.norms = Float64Array.from({ length: this.longest + 1 }, (_, length) =>
        lengthNorm(length, averageLength),
      );
      this.normedFor = averageLength;
    }
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

  private scoreSegment(
    segment: PostingSegment,
    wanted: { term: number; weight: number }[],
    scores: Float32Array,
  ): void {
    const { packed } = segment,
      { norms } = this,
      lengths = this.lists.lengthsByRow;
    for (const { term, weight } of wanted) {
      const [start, end] = rangeOf(segment, term);
      let row = segment.first;
      for (let at = start; at < end;) {
        let byte = packed[at++]!,
          distance = byte & 127;
        for (let shift = 7; byte >= 128; shift += 7) {
          byte = packed[at++]!;
          distance |= (byte & 127) << shift;
        }
        row += distance >>> 1;
        const count = (distance & 1) === 0 ? 1 : packed[at++]!;
        scores[row]! += weight * normedWeight(count, norms[lengths[row]!]!);
      }
    }
  }

  private scoreUnbuilt(wanted: { term: number; weight: number }[], scores: Float32Array): void {
    const { size } = this.register;
    if (this.unbuilt === 0) return;
    // If there isn't enough memory, the rows are searched one by one.
    if (this.unbuilt > unbuiltRows) void this.build().catch(() => undefined);
    this.scoreRows(wanted, range(this.built, size), (row, score) => (scores[row] = score));
  }

  /** Scores rows by their lists of terms. */
  private scoreRows(
    wanted: { term: number; weight: number }[],
    rows: Iterable<number>,
    take: (row: number, score: number) => void,
  ): void {
    if (this.asked.length < this.lists.vocabulary)
      this.asked = new Uint16Array(Math.ceil(this.lists.vocabulary * 1.25));
    const { asked, norms } = this;
    for (const [n, { term }] of wanted.entries()) asked[term] = n + 1;
    const counts = new Int32Array(wanted.length + 1);
    for (const row of rows) {
      counts.fill(0);
      const length = this.lists.lengthOf(row),
        numbers = this.lists.numbersOf(row);
      for (let n = 0; n < length; n++) counts[asked[numbers[n]!]!]!++;
      let score = 0;
      for (let n = 0; n < wanted.length; n++)
        if (counts[n + 1]! > 0)
          score += wanted[n]!.weight * normedWeight(counts[n + 1]!, norms[length]!);
      take(row, score);
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
      if (this.keptBytes <= this.maxKept) break;
      this.kept.delete(oldest);
      this.keptBytes -= keptBytes(length);
    }
    return terms;
  }
}

function* range(from: number, to: number): Generator<number> {
  for (let row = from; row < to; row++) yield row;
}

const keptBytes = (terms: number): number => bytesPerKept + bytesPerKeptTerm * terms;
