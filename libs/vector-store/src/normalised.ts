import type { VectorModel } from "./vector-index.ts";
import { VectorStoreError } from "./vector-store.ts";

/** The vector at length 1, so that a dot product is the cosine; a zero vector stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  return vector.map((value) => value / length);
}

/**
 * Numbers of a vector of length 1 as they travel as text: eight places are more than its 32 bits
 * hold, and half as long.
 */
export function toNumbers(unit: Float32Array): number[] {
  return Array.from(unit, (value) => Math.round(value * 1e8) / 1e8);
}

/** Throws for a vector that the model cannot have made. */
export function checkVector(vector: Float32Array, { model, dimensions }: VectorModel): void {
  if (vector.length !== dimensions)
    throw new VectorStoreError(
      `A vector of ${vector.length} numbers does not fit the index of ${model} (${dimensions})`,
      { isRetryable: false },
    );
  if (!vector.every(Number.isFinite))
    throw new VectorStoreError("A vector holds something that is not a number", {
      isRetryable: false,
    });
}
