import { createDotProducts, rowMultiple, type DotMemory } from "./dot-products.ts";
import { largest } from "./largest.ts";
import { RowRegister, type SnapshotRow, type SnapshotRows } from "./snapshot-rows.ts";
import type { ScoredId } from "./vector-index.ts";

/**
 * Unit vectors are scaled by this, so that no sum of products leaves 32 bits: it is at most the
 * square. Scores are typically within 0.0001 of exact ones, at worst √dimensions / 32,767.
 */
const scale = 32_767;
/** Of a row's id, and its places in the lists of ids and documents. */
const bytesPerId = 80;
/** Marks a row that the search leaves out. */
const leftOut = -0x8000_0000;
/** A full matrix grows by this factor. Memory that isn't written to yet takes none. */
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

  /** Memory it takes. */
  static bytes(capacity: number, dimensions: number): number {
    return bytesOfVectors(capacity, dimensions) + capacity * bytesPerId;
  }

  get bytes(): number {
    return VectorMatrix.bytes(this.register.size, this.dimensions);
  }

  add({ id, document_id, vector }: SnapshotRow): void {
    this.append(id, document_id, vector as Float32Array, 0);
  }

  /** `vectors` holds the row's numbers from `from` on. */
  append(id: string, documentId: string, vectors: Float32Array, from: number): void {
    const row = this.register.add(id, documentId);
    if (row >= this.capacity) {
      this.capacity = Math.ceil(this.capacity * growth) + 16;
      this.memory.grow(bytesOfVectors(this.capacity, this.dimensions));
      this.divideMemory();
    }
    const start = row * this.stride;
    for (let n = 0; n < this.dimensions; n++)
      this.rows[start + n] = Math.round(vectors[from + n]! * scale);
  }

  /** Nearest first; `unit` has length 1. */
  search(unit: Float32Array, limit: number, documentIds?: readonly string[]): ScoredId[] {
    for (let n = 0; n < this.dimensions; n++) this.vector[n] = Math.round(unit[n]! * scale);
    const { size } = this.register;
    this.memory.dot(this.rows.byteOffset, 0, size, this.stride * 2, this.scores.byteOffset);
    const { scores } = this;
    this.register.leaveOut(scores, leftOut, documentIds);
    const hits = new Map<string, ScoredId>();
    for (const row of largest(scores.subarray(0, size), limit, leftOut)) {
      const id = this.register.idOf(row);
      if (!hits.has(id)) hits.set(id, { id, score: clamp(scores[row]! / (scale * scale)) });
    }
    return [...hits.values()];
  }

  /** The rows stay in place when there is room for more; scores are of one search. */
  private divideMemory(): void {
    const { buffer } = this.memory;
    this.vector = new Int16Array(buffer, 0, this.stride);
    this.rows = new Int16Array(buffer, this.vector.byteLength, this.capacity * this.stride);
    const scores = this.vector.byteLength + this.rows.byteLength;
    this.scores = new Int32Array(buffer, scores, this.capacity);
  }
}

const strideOf = (dimensions: number): number => Math.ceil(dimensions / rowMultiple) * rowMultiple;
/** Of the vectors and their scores. */
const bytesOfVectors = (capacity: number, dimensions: number): number =>
  (capacity + 1) * strideOf(dimensions) * 2 + capacity * 4;
const clamp = (score: number): number => Math.max(-1, Math.min(1, score));
