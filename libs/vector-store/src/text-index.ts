import type { First, ScoredId } from "./vector-index.ts";

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
