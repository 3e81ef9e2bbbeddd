import { createDotProducts, rowMultiple, type DotProducts } from "./dot-products.ts";
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
/** A full matrix grows by this factor. */
const growth = 17 / 16;

/** Unit vectors in memory, searched exhaustively. */
export class VectorMatrix implements SnapshotRows {
  readonly register = new RowRegister();
  private readonly stride: number;
  private rows: Int16Array;
  private vector: Int16Array;
  private scores: Int32Array;
  private dot: DotProducts;

  constructor(
    private capacity: number,
    private readonly dimensions: number,
  ) {
    this.stride = strideOf(dimensions);
    ({ rows: this.rows, vector: this.vector, scores: this.scores, dot: this.dot } = this.reserve());
  }

  /** Memory it takes. */
  static bytes(capacity: number, dimensions: number): number {
    return bytesOfVectors(capacity, dimensions) + capacity * bytesPerId;
  }

  get bytes(): number {
    return VectorMatrix.bytes(this.capacity, this.dimensions);
  }

  add({ id, document_id, vector }: SnapshotRow): void {
    this.append(id, document_id, vector as Float32Array, 0);
  }

  /** `vectors` holds the row's numbers from `from` on. */
  append(id: string, documentId: string, vectors: Float32Array, from: number): void {
    const row = this.register.add(id, documentId);
    if (row >= this.capacity) {
      const { rows } = this;
      this.capacity = Math.ceil(this.capacity * growth) + 16;
      Object.assign(this, this.reserve());
      this.rows.set(rows);
    }
    const start = row * this.stride;
    for (let n = 0; n < this.dimensions; n++)
      this.rows[start + n] = Math.round(vectors[from + n]! * scale);
  }

  /** Nearest first; `unit` has length 1. */
  search(unit: Float32Array, limit: number, documentIds?: readonly string[]): ScoredId[] {
    for (let n = 0; n < this.dimensions; n++) this.vector[n] = Math.round(unit[n]! * scale);
    const { size } = this.register;
    this.dot(this.rows.byteOffset, 0, size, this.stride * 2, this.scores.byteOffset);
    const { scores } = this;
    this.register.leaveOut(scores, leftOut, documentIds);
    const hits = new Map<string, ScoredId>();
    for (const row of largest(scores.subarray(0, size), limit, leftOut)) {
      const id = this.register.idOf(row);
      if (!hits.has(id)) hits.set(id, { id, score: clamp(scores[row]! / (scale * scale)) });
    }
    return [...hits.values()];
  }

  private reserve(): {
    rows: Int16Array;
    vector: Int16Array;
    scores: Int32Array;
    dot: DotProducts;
  } {
    const { memory, dot } = createDotProducts(bytesOfVectors(this.capacity, this.dimensions));
    const vector = new Int16Array(memory, 0, this.stride);
    const rows = new Int16Array(memory, vector.byteLength, this.capacity * this.stride);
    const scores = new Int32Array(memory, vector.byteLength + rows.byteLength, this.capacity);
    return { rows, vector, scores, dot };
  }
}

const strideOf = (dimensions: number): number => Math.ceil(dimensions / rowMultiple) * rowMultiple;
/** Of the vectors and their scores. */
const bytesOfVectors = (capacity: number, dimensions: number): number =>
  (capacity + 1) * strideOf(dimensions) * 2 + capacity * 4;
const clamp = (score: number): number => Math.max(-1, Math.min(1, score));
