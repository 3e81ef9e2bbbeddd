import type { VectorModel } from "./vector-index.ts";
import { invalidCall } from "./vector-store.ts";

/**
 * Scales the vector to length 1, so that a dot product is the cosine. Zero vectors stay unchanged.
 */
export function normalised(vector: Float32Array): Float32Array {
  // By index, because iterators and callbacks are several times slower for millions of numbers.
  let sum = 0;
  for (let n = 0; n < vector.length; n++) sum += vector[n]! * vector[n]!;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  const unit = new Float32Array(vector.length);
  for (let n = 0; n < vector.length; n++) unit[n] = vector[n]! / length;
  return unit;
}

/**
 * Numbers of a unit vector as sent in JSON: eight decimals are more than 32-bit floats hold, at
 * half the size.
 */
export function toNumbers(unit: Float32Array): number[] {
  return Array.from(unit, (value) => Math.round(value * 1e8) / 1e8);
}

/** Throws for a vector that the model can't have produced. */
export function checkVector(vector: Float32Array, { model, dimensions }: VectorModel): void {
  if (vector.length !== dimensions)
    throw invalidCall(
      `A vector of ${vector.length} numbers doesn't fit the index of ${model} (${dimensions})`,
    );
  for (let n = 0; n < vector.length; n++)
    if (!Number.isFinite(vector[n]))
      throw invalidCall("A vector contains something that isn't a number");
}
