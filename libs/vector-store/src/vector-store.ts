import { renderFault, type KnownFault } from "@carrel/contracts";

/** Finds chunks by their vectors and by their words. */
export interface VectorStore {
  /** The index of one embedding model; the same object for the same model. */
  vectors(model: VectorModel): VectorIndex;
  readonly text: TextIndex;
  /**
   * Why the last call couldn't reach the vector server, in which case calls made now would fail
   * too; null otherwise.
   */
  readonly fault: VectorStoreError | null;
  /**
   * Resolves when the vector server is reachable, accepts the key and can hold the model's vectors;
   * otherwise throws a `VectorStoreError`.
   */
  check(model?: VectorModel): Promise<void>;
  /**
   * Names this index and everything written to it. A new name means that rows were lost and
   * everything has to be re-indexed.
   */
  identity(): Promise<string>;
  /** Compacts and indexes new rows. Runs on a timer; tests and benchmarks call it directly. */
  optimize(): Promise<void>;
  /** Waits for running writes. Don't call anything afterwards. */
  close(): Promise<void>;
}

/**
 * A failure of the vector store. `fault` reaches users and never contains a key. `isRetryable`: the
 * same call may succeed later (store unreachable, conflict).
 */
export class VectorStoreError extends Error {
  readonly isRetryable: boolean;
  constructor(
    readonly fault: KnownFault,
    options: { isRetryable: boolean; cause?: unknown },
  ) {
    super(renderFault(fault), { cause: options.cause });
    this.name = "VectorStoreError";
    this.isRetryable = options.isRetryable;
  }
}

/** For calls that only a bug in Carrel can cause. */
export const invalidCall = (details: string): VectorStoreError =>
  new VectorStoreError(
    { code: "vector-store.call-invalid", params: { details } },
    { isRetryable: false },
  );

export function requireDimensions(store: string, dimensions: number, limit: number): void {
  if (dimensions > limit)
    throw new VectorStoreError(
      { code: "vector-store.too-many-dimensions", params: { store, limit, dimensions } },
      { isRetryable: false },
    );
}

/**
 * A chunk found by a search. `score` is the cosine (-1 to 1) from a `VectorIndex` and BM25 (0 or
 * more) from a `TextIndex`.
 */
export interface ScoredId {
  /** Chunk id, a uuid. */
  id: string;
  score: number;
}

export interface VectorRow {
  /** Chunk id, a uuid. */
  id: string;
  workspaceId: number;
  documentId: string;
  version: number;
  vector: Float32Array;
}

/** Whether none of the rows was ever written before. */
export type First = boolean | (() => Promise<boolean>);

/**
 * Which vectors a table holds. Vectors of different models are never compared, so each model has
 * its own table.
 */
export interface VectorModel {
  model: string;
  dimensions: number;
}

/**
 * Vectors in, scored ids out, for one embedding model. The workspace is the tenant: no search
 * crosses it. The index holds a copy: the caller asks PostgreSQL which of the ids are live. All
 * failures are `VectorStoreError`.
 */
export interface VectorIndex {
  /** Creates the table if it is missing. Idempotent; every other method calls it. */
  ensure(): Promise<void>;
  /**
   * Replaces rows with an existing id. Any number of rows, visible to the next search. `first` says
   * that none of them was ever written, which is cheaper; a function is called at the last moment,
   * while no one else can write.
   */
  upsert(rows: VectorRow[], options?: { first?: First }): Promise<void>;
  /**
   * Nearest first. A vector of the wrong length throws `VectorStoreError`; a zero vector finds
   * nothing. `documentIds` (at most 1,000): only their rows are wanted, but a driver may return
   * others; the caller checks against PostgreSQL anyway.
   */
  search(query: {
    workspaceId: number;
    vector: Float32Array;
    limit: number;
    documentIds?: readonly string[];
  }): Promise<ScoredId[]>;
  deleteByDocument(
    workspaceId: number,
    documentId: string,
    options?: { exceptVersion?: number },
  ): Promise<void>;
  /** Deletes them in one write, for stores that would otherwise create a table version for each. */
  deleteByDocuments?(workspaceId: number, documentIds: readonly string[]): Promise<void>;
  deleteWorkspace(workspaceId: number): Promise<void>;
  drop(): Promise<void>;
  /** Resolves when the store is reachable; throws `VectorStoreError` otherwise. */
  health(): Promise<void>;
}

export interface TextRow {
  /** Chunk id, a uuid. */
  id: string;
  workspaceId: number;
  documentId: string;
  version: number;
  /**
   * Analysed terms in text order, including repetitions. No term contains white space or exceeds 64
   * characters.
   */
  terms: string[];
}

/**
 * A found chunk with its terms, so that the caller can weigh, re-rank and expand without reading it
 * again.
 */
export interface TextHit extends ScoredId {
  terms: string[];
}

export interface TermStatistics {
  /** Chunks in the workspace. */
  documentCount: number;
  /** Number of chunks that contain each requested term; terms in no chunk are left out. */
  frequencies: Map<string, number>;
  /** Mean number of terms per chunk. */
  averageLength: number;
  /** Only a sample was counted, so a missing term may still occur in a few other chunks. */
  isSample?: true;
}

/**
 * Analysed terms in, scored ids out. The workspace is the tenant: except in `searchAcross`, neither
 * hits nor statistics cross it. The index holds a copy: the caller asks PostgreSQL which of the ids
 * are live. All failures are `VectorStoreError`.
 */
export interface TextIndex {
  /** Creates the table if it is missing. Idempotent; every other method calls it. */
  ensure(): Promise<void>;
  /**
   * Replaces rows with an existing id. Any number of rows, visible to the next search. `first` says
   * that none of them was ever written, which is cheaper; a function is called at the last moment,
   * while no one else can write.
   */
  upsert(rows: TextRow[], options?: { first?: First }): Promise<void>;
  /**
   * Chunks that contain any of the terms, best first, by BM25 with the workspace's own statistics;
   * a term repeated in `terms` counts more.
   * `documentIds` as in `VectorIndex.search`.
   */
  search(query: {
    workspaceId: number;
    terms: string[];
    limit: number;
    documentIds?: readonly string[];
  }): Promise<TextHit[]>;
  /**
   * Ids of chunks in any of the workspaces that contain any of the terms, roughly best first:
   * rarity is measured across the whole index, so the caller weighs the hits itself.
   */
  searchAcross(query: {
    workspaceIds: readonly number[];
    terms: readonly string[];
    limit: number;
  }): Promise<string[]>;
  /** Counts for the given terms in one workspace; cheap, cached between calls. */
  statistics(query: { workspaceId: number; terms: string[] }): Promise<TermStatistics>;
  deleteByDocument(
    workspaceId: number,
    documentId: string,
    options?: { exceptVersion?: number },
  ): Promise<void>;
  /** Deletes them in one write, for stores that would otherwise create a table version for each. */
  deleteByDocuments?(workspaceId: number, documentIds: readonly string[]): Promise<void>;
  deleteWorkspace(workspaceId: number): Promise<void>;
  drop(): Promise<void>;
  health(): Promise<void>;
}

/**
 * Scales the vector to length 1, so that a dot product is the cosine. Zero vectors stay unchanged.
 */
export function normalised(vector: Float32Array): Float32Array {
  // By index, because iterators and callbacks are several times slower for millions of numbers.
  let sum = 0;
  for (let n = 0; n < vector.length; n++) sum += vector[n]! * vector[n]!;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  const unit = new Float32Array(vector.length);
  for (let n = 0; n < vector.length; n++) unit[n] = vector[n]! / length;
  return unit;
}

/**
 * Numbers of a unit vector as sent in JSON: eight decimals are more than 32-bit floats hold, at
 * half the size.
 */
export function toNumbers(unit: Float32Array): number[] {
  return Array.from(unit, (value) => Math.round(value * 1e8) / 1e8);
}

/** Throws for a vector that the model can't have produced. */
export function checkVector(vector: Float32Array, { model, dimensions }: VectorModel): void {
  if (vector.length !== dimensions)
    throw invalidCall(
      `A vector of ${vector.length} numbers doesn't fit the index of ${model} (${dimensions})`,
    );
  for (let n = 0; n < vector.length; n++)
    if (!Number.isFinite(vector[n]))
      throw invalidCall("A vector contains something that isn't a number");
}
