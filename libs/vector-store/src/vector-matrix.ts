import type { RecordBatch } from "apache-arrow";
import { createDotProducts, rowMultiple, type DotMemory } from "./dot-products.ts";
import { largest } from "./largest.ts";
import { RowRegister } from "./row-register.ts";
import type { SnapshotRows } from "./snapshot-memory.ts";
import { integerColumn, textColumn } from "./table-change.ts";
import type { ScoredId } from "./vector-index.ts";

/**
 * Unit vectors are scaled by this, so that no sum of products exceeds 32 bits: it is at most the
 * square. Scores are typically within 0.0001 of exact ones, at worst √dimensions / 32,767.
 */
const scale = 32_767;
/** Approximate bytes per row in the register, for estimates. */
const bytesPerId = 80;
/** Marks a row that the search leaves out. */
const leftOut = -0x8000_0000;
/** A full matrix grows by this factor. Memory that hasn't been written to takes no space. */
const growth = 1.25;

/** Unit vectors in memory, searched exhaustively. */
export class VectorMatrix implements SnapshotRows {
  readonly register = new RowRegister();
  private readonly stride: number;
  private readonly memory: DotMemory;
  private vector!: Int16Array;
  private rows!: Int16Array;
  private scores!: Int32Array;

  constructor(
    private capacity: number,
    private readonly dimensions: number,
  ) {
    this.stride = strideOf(dimensions);
    this.memory = createDotProducts(bytesOfVectors(capacity, dimensions));
    this.divideMemory();
  }

  /** Expected memory for this many rows. */
  static estimate(rows: number, dimensions: number): number {
    return bytesOfVectors(rows, dimensions) + rows * bytesPerId;
  }

  /** Room for rows that hasn't been written to takes no memory. */
  get bytes(): number {
    return bytesOfVectors(this.register.size, this.dimensions) + this.register.bytes;
  }

  adder(batch: RecordBatch): (row: number) => void {
    const id = textColumn(batch, "id"),
      document = textColumn(batch, "document_id"),
      versions = integerColumn(batch, "version");
    const vectors = batch.getChild("vector")?.getChildAt(0)?.toArray() as Float32Array | undefined;
    if (vectors?.length !== batch.numRows * this.dimensions)
      throw new RangeError(`The vectors don't have ${this.dimensions} dimensions.`);
    return (row) =>
      this.add(id(row), document(row), versions[row]!, vectors, row * this.dimensions);
  }

  /** `vectors` contains the row's numbers, starting at `from`. */
  add(id: string, documentId: string, version: number, vectors: Float32Array, from = 0): void {
    const replaced = this.register.find(id);
    if (replaced >= 0) this.register.remove(replaced);
    const row = this.register.add(id, documentId, version);
    if (row >= this.capacity) {
      this.capacity = Math.ceil(this.capacity * growth) + 16;
      this.memory.grow(bytesOfVectors(this.capacity, this.dimensions));
      this.divideMemory();
    }
    const start = row * this.stride;
    for (let n = 0; n < this.dimensions; n++)
      this.rows[start + n] = Math.round(vectors[from + n]! * scale);
  }

  remove(row: number): void {
    this.register.remove(row);
  }

  /** Nearest first; `unit` has length 1. */
  search(unit: Float32Array, limit: number, documentIds?: readonly string[]): ScoredId[] {
    for (let n = 0; n < this.dimensions; n++) this.vector[n] = Math.round(unit[n]! * scale);
    const { size } = this.register;
    this.memory.dot(this.rows.byteOffset, 0, size, this.stride * 2, this.scores.byteOffset);
    const { scores } = this;
    this.register.leaveOut(scores, leftOut, documentIds);
    return largest(scores.subarray(0, size), limit, leftOut).map((row) => ({
      id: this.register.idOf(row),
      score: clamp(scores[row]! / (scale * scale)),
    }));
  }

  /** Rows stay in place when the memory grows; scores are only for one search. */
  private divideMemory(): void {
    const { buffer } = this.memory;
    this.vector = new Int16Array(buffer, 0, this.stride);
    this.rows = new Int16Array(buffer, this.vector.byteLength, this.capacity * this.stride);
    const scores = this.vector.byteLength + this.rows.byteLength;
    this.scores = new Int32Array(buffer, scores, this.capacity);
  }
}

const strideOf = (dimensions: number): number => Math.ceil(dimensions / rowMultiple) * rowMultiple;
/** Memory for the vectors and their scores. */
const bytesOfVectors = (capacity: number, dimensions: number): number =>
  (capacity + 1) * strideOf(dimensions) * 2 + capacity * 4;
const clamp = (score: number): number => Math.max(-1, Math.min(1, score));
