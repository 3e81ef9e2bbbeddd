/** FNV-1a, 32 bit. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < word.length; index++)
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/**
 * A unit vector from the text's words, each hashed to a dimension and a sign: the same text always
 * gives the same vector, and texts that share words are similar.
 */
export function fakeEmbedding(text: string, dimensions = 384): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const value = hash(word);
    vector[value % dimensions]! += value & 0x80000000 ? -1 : 1;
  }
  let length = Math.hypot(...vector);
  if (length === 0) {
    vector[0] = 1;
    length = 1;
  }
  for (let index = 0; index < dimensions; index++) vector[index]! /= length;
  return vector;
}

/** A vector that says nothing about its text. */
export const fakeNoise = (text: string, dimensions: number): Float32Array =>
  fakeEmbedding(`${hash(text)} ${hash(`${text} `)} ${hash(` ${text}`)}`, dimensions);
