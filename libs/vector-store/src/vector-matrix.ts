import type { RecordBatch } from "apache-arrow";
import { integerColumn, textColumn } from "./change-log.ts";
import { largest } from "./largest.ts";
import { RowRegister } from "./row-register.ts";
import type { SnapshotRows } from "./snapshot-memory.ts";
import type { ScoredId } from "./vector-store.ts";

/**
 * Dot products of one vector with many, eight numbers per instruction: WebAssembly, because
 * JavaScript has no SIMD. Numbers are 16-bit integers. Pure.
 */

const op = {
  end: 0x0b,
  return: 0x0f,
  if: 0x04,
  loop: 0x03,
  again: 0x0d, // br_if
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  store: 0x36,
  constant: 0x41,
  isZero: 0x45,
  isLess: 0x49, // i32.lt_u
  add: 0x6a,
  subtract: 0x6b,
} as const;
const nothing = 0x40,
  i32 = 0x7f,
  v128 = 0x7b;
const loadVector = (offset: number): number[] => [0xfd, 0x00, 0x04, offset];
const zeroVector = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
/** Multiplies eight pairs of 16-bit integers and adds neighbours: four 32-bit sums. */
const dotVectors = [0xfd, 0xba, 0x01];
const addVectors = [0xfd, 0xae, 0x01];
const lane = (index: number): number[] => [0xfd, 0x1b, index];

/** Locals: the parameters of `DotProducts`, then the inner loop's. */
const matrix = 0,
  vector = 1,
  rows = 2,
  stride = 3,
  out = 4,
  rowEnd = 5,
  at = 6,
  even = 7,
  odd = 8;

const advance = (local: number, by: number): number[] => [
  ...[op.get, local, op.constant, by, op.add, op.set, local],
];
/** Adds the product of 16 bytes of the row and of the vector to a sum. */
const accumulate = (sum: number, offset: number): number[] => [
  ...[op.get, sum, op.get, matrix, ...loadVector(offset), op.get, at, ...loadVector(offset)],
  ...[...dotVectors, ...addVectors, op.set, sum],
];

const body = [
  ...[op.get, rows, op.isZero, op.if, nothing, op.return, op.end],
  ...[op.loop, nothing],
  ...[op.get, matrix, op.get, stride, op.add, op.set, rowEnd],
  ...[op.get, vector, op.set, at, ...zeroVector, op.set, even, ...zeroVector, op.set, odd],
  ...[op.loop, nothing, ...accumulate(even, 0), ...accumulate(odd, 16)],
  ...[...advance(matrix, 32), ...advance(at, 32)],
  ...[op.get, matrix, op.get, rowEnd, op.isLess, op.again, 0, op.end],
  ...[op.get, even, op.get, odd, ...addVectors, op.set, even],
  ...[op.get, out, op.get, even, ...lane(0), op.get, even, ...lane(1), op.add],
  ...[op.get, even, ...lane(2), op.add, op.get, even, ...lane(3), op.add, op.store, 2, 0],
  ...[...advance(out, 4), op.get, rows, op.constant, 1, op.subtract, op.tee, rows],
  ...[op.again, 0, op.end, op.end],
];

/** Every part here is shorter than 16,384 bytes. */
const length = (n: number): number[] => (n < 128 ? [n] : [(n & 0x7f) | 0x80, n >> 7]);
const section = (id: number, bytes: number[]): number[] => [id, ...length(bytes.length), ...bytes];
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
const code = [2, 2, i32, 2, v128, ...body];

const bytes = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
  ...section(2, [1, ...name("env"), ...name("memory"), 0x02, 0x00, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name("dot"), 0x00, 0]),
  ...section(10, [1, ...length(code.length), ...code]),
]);

/** Rows are padded with zeros to a multiple of this many numbers. */
const rowMultiple = 16;

/**
 * Writes the dot product of the vector with each row to `out`, as 32-bit integers. All are byte
 * addresses in the memory; `stride` is the length of a row in bytes, a multiple of 32.
 */
type DotProducts = (
  matrix: number,
  vector: number,
  rows: number,
  stride: number,
  out: number,
) => void;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}
/** The part used here; Node's types lack it. */
declare const WebAssembly: {
  Memory: new (options: { initial: number }) => WasmMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: Record<string, Record<string, object>>,
  ) => { readonly exports: Record<string, unknown> };
};

const pageBytes = 65_536;
let compiled: object | undefined;

interface DotMemory {
  /** Detached by `grow`. */
  readonly buffer: ArrayBuffer;
  /** Keeps the contents and adds zeros, up to at least this many bytes. */
  grow(bytes: number): void;
  readonly dot: DotProducts;
}

/** Memory of at least this many bytes, zeroed, and the function that works in it. */
function createDotProducts(memoryBytes: number): DotMemory {
  compiled ??= new WebAssembly.Module(bytes);
  const memory = new WebAssembly.Memory({ initial: Math.max(1, pagesOf(memoryBytes)) });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return {
    get buffer() {
      return memory.buffer;
    },
    grow(wanted) {
      const missing = pagesOf(wanted - memory.buffer.byteLength);
      if (missing > 0) memory.grow(missing);
    },
    dot: exports["dot"] as DotProducts,
  };
}

const pagesOf = (size: number): number => Math.ceil(size / pageBytes);

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
