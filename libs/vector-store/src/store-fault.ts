import { VectorStoreError } from "./vector-store.ts";

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
