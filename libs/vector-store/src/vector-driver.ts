import type { ScoredId, VectorModel } from "./vector-index.ts";

/** A row as drivers get it: checked, its vector at length 1. */
export interface DriverRow {
  id: string;
  workspaceId: number;
  documentId: string;
  version: number;
  vector: number[];
}

/** `documentIds`, 1 to 1,000: only rows of these are wanted; others may come too. */
export interface DriverQuery {
  workspaceId: number;
  vector: number[];
  limit: number;
  documentIds?: readonly string[] | undefined;
}

/**
 * What a vector database has to do for `RemoteVectorIndex`, which does the rest: checks, batches,
 * making what is missing.
 * `table` names one embedding model's vectors, in lower-case letters, digits and `-`. Errors are
 * `VectorStoreError`, or what the client throws.
 */
export interface VectorDriver {
  /** Rows in one request at most. */
  readonly batchSize: number;
  /** Bytes of vectors in one request at most; absent: no limit that matters. */
  readonly batchBytes?: number;
  /** Makes the table if it is missing; true when it was. Several processes may do so at once. */
  ensure(table: string, dimensions: number): Promise<boolean>;
  /** No id comes twice in a batch. `first`: none of them was ever written. */
  upsert(table: string, rows: DriverRow[], first: boolean): Promise<void>;
  /** Cosines, nearest first. */
  search(table: string, query: DriverQuery): Promise<ScoredId[]>;
  deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void>;
  deleteWorkspace(table: string, workspaceId: number): Promise<void>;
  drop(table: string): Promise<void>;
  /**
   * Whether the failure of a call means that the table (or the workspace's part of it) is not
   * there.
   */
  isMissing(fault: unknown): boolean;
  /** Answers with the rights that writing needs, and can hold vectors of the model; else throws. */
  check(model: VectorModel | undefined): Promise<void>;
  close(): Promise<void>;
}
