import type { First, ScoredId } from "./vector-index.ts";

export interface TextRow {
  /** Chunk id, a uuid. */
  id: string;
  workspaceId: number;
  documentId: string;
  version: number;
  /**
   * Analysed terms in the order of the text, repetitions kept; no term holds white space or is
   * longer than 64 characters.
   */
  terms: string[];
}

/**
 * A found chunk with its own terms, so that the caller can weigh, re-rank and expand without a
 * second read.
 */
export interface TextHit extends ScoredId {
  terms: string[];
}

export interface TermStatistics {
  /** Chunks that the workspace holds. */
  documentCount: number;
  /** In how many of them each asked term stands; terms that stand in none are left out. */
  frequencies: Map<string, number>;
  /** Mean number of terms of a chunk. */
  averageLength: number;
  /** Not all chunks were counted: a term that is left out may stand in a few of the others. */
  isSample?: true;
}

/**
 * Ready terms in, scored ids out. The workspace is the tenant: neither hits nor statistics cross
 * it.
 * What an index holds is a copy: the caller asks PostgreSQL which of the found ids are live. All
 * failures are `VectorStoreError`.
 */
export interface TextIndex {
  /** Makes the table if it is missing. Idempotent; every other method calls it by itself. */
  ensure(): Promise<void>;
  /**
   * Rows with an id that exists replace it; `first` says that none of them was ever written, which
   * is cheaper; as a function it is asked at the last moment, while nobody else can write. Found by
   * the next search. Any number of rows.
   */
  upsert(rows: TextRow[], options?: { first?: First }): Promise<void>;
  /**
   * Chunks that hold any of the terms, by BM25 over the workspace's own statistics, best first.
   * `documentIds` as in `VectorIndex.search`.
   */
  search(query: {
    workspaceId: number;
    terms: string[];
    limit: number;
    documentIds?: readonly string[];
  }): Promise<TextHit[]>;
  /** Counts for the given terms in one workspace; cheap, kept in memory between calls. */
  statistics(query: { workspaceId: number; terms: string[] }): Promise<TermStatistics>;
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
  drop(): Promise<void>;
  health(): Promise<void>;
}
