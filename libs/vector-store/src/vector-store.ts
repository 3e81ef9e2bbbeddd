import { renderFault, type KnownFault } from "@carrel/contracts";
import type { TextIndex } from "./text-index.ts";
import type { VectorIndex, VectorModel } from "./vector-index.ts";

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
