import { createDotProducts, rowMultiple, type DotProducts } from "./dot-products.ts";
import { largest } from "./largest.ts";
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

/** Unit vectors in memory, searched exhaustively. Rows are added once and never change. */
export class VectorMatrix {
  private readonly ids: string[] = [];
  private readonly documents: string[] = [];
  private readonly stride: number;
  private readonly rows: Int16Array;
  private readonly vector: Int16Array;
  private readonly scores: Int32Array;
  private readonly dot: DotProducts;

  constructor(
    readonly capacity: number,
    private readonly dimensions: number,
  ) {
    this.stride = strideOf(dimensions);
    const { memory, dot } = createDotProducts(bytesOfVectors(capacity, dimensions));
    this.dot = dot;
    this.vector = new Int16Array(memory, 0, this.stride);
    this.rows = new Int16Array(memory, this.vector.byteLength, capacity * this.stride);
    const scores = this.vector.byteLength + this.rows.byteLength;
    this.scores = new Int32Array(memory, scores, capacity);
  }

  /** Memory it takes. */
  static bytes(capacity: number, dimensions: number): number {
    return bytesOfVectors(capacity, dimensions) + capacity * bytesPerId;
  }

  get size(): number {
    return this.ids.length;
  }
  get bytes(): number {
    return VectorMatrix.bytes(this.capacity, this.dimensions);
  }

  /** `vectors` holds the row's numbers from `from` on. False if the matrix is full. */
  add(id: string, documentId: string, vectors: Float32Array, from: number): boolean {
    const row = this.ids.length;
    if (row >= this.capacity) return false;
    const start = row * this.stride;
    for (let n = 0; n < this.dimensions; n++)
      this.rows[start + n] = Math.round(vectors[from + n]! * scale);
    this.ids.push(id);
    // Rows of a document follow each other and share one string.
    this.documents.push(this.documents.at(-1) === documentId ? this.documents.at(-1)! : documentId);
    return true;
  }

  /** Nearest first; `unit` has length 1. */
  search(unit: Float32Array, limit: number, documentIds?: readonly string[]): ScoredId[] {
    for (let n = 0; n < this.dimensions; n++) this.vector[n] = Math.round(unit[n]! * scale);
    const { size } = this;
    this.dot(this.rows.byteOffset, 0, size, this.stride * 2, this.scores.byteOffset);
    const scores = this.scores;
    if (documentIds) {
      const wanted = new Set(documentIds);
      for (let row = 0; row < size; row++)
        if (!wanted.has(this.documents[row]!)) scores[row] = leftOut;
    }
    const hits = new Map<string, ScoredId>();
    for (const row of largest(scores.subarray(0, size), limit, leftOut)) {
      const id = this.ids[row]!;
      if (!hits.has(id)) hits.set(id, { id, score: clamp(scores[row]! / (scale * scale)) });
    }
    return [...hits.values()];
  }
}

const strideOf = (dimensions: number): number => Math.ceil(dimensions / rowMultiple) * rowMultiple;
/** Of the vectors and their scores. */
const bytesOfVectors = (capacity: number, dimensions: number): number =>
  (capacity + 1) * strideOf(dimensions) * 2 + capacity * 4;
const clamp = (score: number): number => Math.max(-1, Math.min(1, score));
