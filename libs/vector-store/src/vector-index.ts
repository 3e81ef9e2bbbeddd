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
