import type { TextIndex } from "./text-index.ts";
import type { VectorIndex, VectorModel } from "./vector-index.ts";

/** Where chunks are found by their vectors and by their words. */
export interface VectorStore {
  /** The index of one embedding model; the same object for the same model. */
  vectors(model: VectorModel): VectorIndex;
  readonly text: TextIndex;
  /**
   * Resolves when the place of the vectors answers, takes the key and can hold vectors of the
   * model; else throws `VectorStoreError` with a sentence for people.
   */
  check(model?: VectorModel): Promise<void>;
  /**
   * Names this index and all that was written to it; another name means that rows were lost and
   * everything has to be indexed again.
   */
  identity(): Promise<string>;
  /**
   * Compacts and indexes what was added since the last time. Runs by itself on a timer; tests and
   * benchmarks call it.
   */
  optimize(): Promise<void>;
  /** Waits for writes under way. Nothing may be called afterwards. */
  close(): Promise<void>;
}

/**
 * What a vector store could not do. `isRetryable`: the same call may work later (store out of
 * reach, conflict).
 */
export class VectorStoreError extends Error {
  readonly isRetryable: boolean;
  constructor(message: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = "VectorStoreError";
    this.isRetryable = options.isRetryable;
  }
}
