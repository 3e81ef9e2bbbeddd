/**
 * A chunk that a search found. `score` is cosine (-1 to 1) from a `VectorIndex` and BM25 (0 and up)
 * from a `TextIndex`.
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

/** Whether rows were never written before. */
export type First = boolean | (() => Promise<boolean>);

/**
 * Which vectors a table holds. Vectors of different models are never compared, so each has its own
 * table.
 */
export interface VectorModel {
  model: string;
  dimensions: number;
}

/**
 * Ready vectors in, scored ids out, for one embedding model. The workspace is the tenant: no search
 * crosses it.
 * What an index holds is a copy: the caller asks PostgreSQL which of the found ids are live. All
 * failures are `VectorStoreError`.
 */
export interface VectorIndex {
  /** Makes the table if it is missing. Idempotent; every other method calls it by itself. */
  ensure(): Promise<void>;
  /**
   * Rows with an id that exists replace it; `first` says that none of them was ever written, which
   * is cheaper; as a function it is asked at the last moment, while nobody else can write. Found by
   * the next search. Any number of rows.
   */
  upsert(rows: VectorRow[], options?: { first?: First }): Promise<void>;
  /**
   * Nearest first. A vector of the wrong length throws `VectorStoreError`; zero vectors find
   * nothing. `documentIds` (1,000 at the
   * most): only rows of these are wanted; a driver may find others too, the caller asks PostgreSQL
   * anyway.
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
  /**
   * All of them in one write, where the store would otherwise make a version of its table for each.
   */
  deleteByDocuments?(workspaceId: number, documentIds: readonly string[]): Promise<void>;
  deleteWorkspace(workspaceId: number): Promise<void>;
  /** Removes the whole table. */
  drop(): Promise<void>;
  /** Resolves when the store answers, else throws `VectorStoreError`. */
  health(): Promise<void>;
}
