import type { ScoredId, VectorModel } from "./vector-store.ts";

/** A row as passed to drivers: validated, its vector at length 1. */
export interface DriverRow {
  id: string;
  workspaceId: number;
  documentId: string;
  version: number;
  vector: number[];
}

/** `documentIds`, 1 to 1,000: only their rows are wanted, but others may be returned too. */
export interface DriverQuery {
  workspaceId: number;
  vector: number[];
  limit: number;
  documentIds?: readonly string[] | undefined;
}

/**
 * What a vector database implements for `RemoteVectorIndex`, which adds validation, batches and
 * creating missing tables. `table` names one embedding model's vectors, in lower-case letters,
 * digits and `-`. Errors are `VectorStoreError`, or whatever the client throws.
 */
export interface VectorDriver {
  /** Maximum rows per request. */
  readonly batchSize: number;
  /** Maximum bytes of vectors per request; omitted if there is no relevant limit. */
  readonly batchBytes?: number;
  /**
   * Creates the table if it is missing and returns whether it was. Safe to run in several
   * processes.
   */
  ensure(table: string, dimensions: number): Promise<boolean>;
  /** Ids are unique within a batch. `first`: none of them was ever written. */
  upsert(table: string, rows: DriverRow[], first: boolean): Promise<void>;
  /** Scores are cosines, nearest first. */
  search(table: string, query: DriverQuery): Promise<ScoredId[]>;
  deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void>;
  deleteWorkspace(table: string, workspaceId: number): Promise<void>;
  drop(table: string): Promise<void>;
  /** Whether a call failed because the table, or the workspace's part of it, is missing. */
  isMissing(fault: unknown): boolean;
  /**
   * Throws unless the server is reachable, grants write access and can hold the model's vectors.
   */
  check(model: VectorModel | undefined): Promise<void>;
  close(): Promise<void>;
}
