import { fakeEmbedding } from "@carrel/testing";
import { analyseTerms } from "@carrel/retrieval";

/** Embeds a text; built per collection if it learns from one. */
export interface MadeUpEmbedder {
  name: string;
  dimensions: number;
  about: string;
  embed(text: string): Float32Array;
}

/**
 * Embedders of varying quality that need no model: from words and letters, random, and from
 * co-occurrence in these texts.
 */
export function madeUpEmbedders(texts: string[]): MadeUpEmbedder[] {
  return [
    {
      name: "fake",
      dimensions: 384,
      about: "words hashed to 384 places, as in the tests",
      embed: (text) => fakeEmbedding(text),
    },
    {
      name: "letters",
      dimensions: 512,
      about: "three letters in a row, hashed to 512 places",
      embed: embedLetters,
    },
    {
      name: "chance",
      dimensions: 384,
      about: "noise: the worst there can be",
      embed: (text) => unit(Float32Array.from({ length: 384 }, normalFrom(hash(text)))),
    },
    {
      name: "latent",
      dimensions: latentDimensions,
      about: "latent semantic analysis of the collection",
      embed: learnLatent(texts),
    },
  ];
}

const latentDimensions = 64;
const iterations = 4;

function embedLetters(text: string): Float32Array {
  const vector = new Float32Array(512);
  const padded = ` ${text.toLowerCase().replace(/\s+/g, " ")} `;
  for (let start = 0; start + 3 <= padded.length; start++) {
    const value = hash(padded.slice(start, start + 3));
    vector[value % 512]! += value & 0x80000000 ? -1 : 1;
  }
  return unit(vector);
}

/**
 * Latent semantic analysis: the first singular vectors of the texts' weighted terms by subspace
 * iteration; a text is projected onto them by its terms.
 */
function learnLatent(texts: string[]): (text: string) => Float32Array {
  const termsOf = (text: string): string[] => analyseTerms(text, { language: "en" });
  const documents = texts.map(termsOf);
  const frequencies = new Map<string, number>();
  for (const terms of documents)
    for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const columns = new Map(
    [...frequencies].filter(([, count]) => count > 1).map(([term], column) => [term, column]),
  );
  const weigh = (terms: string[]): [column: number, weight: number][] => {
    const counts = new Map<string, number>();
    for (const term of terms) if (columns.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const row = [...counts].map(([term, count]): [number, number] => [
      columns.get(term)!,
      (1 + Math.log(count)) * Math.log(texts.length / frequencies.get(term)!),
    ]);
    const length = Math.hypot(...row.map(([, weight]) => weight)) || 1;
    return row.map(([column, weight]) => [column, weight / length]);
  };
  const rows = documents.map(weigh);
  const normal = normalFrom(7);
  const project = (row: [number, number][], axis: Float64Array): number =>
    row.reduce((sum, [column, weight]) => sum + axis[column]! * weight, 0);
  let axes: Float64Array[] = Array.from({ length: latentDimensions }, () =>
    Float64Array.from({ length: columns.size }, normal),
  );
  for (let round = 0; round < iterations; round++) {
    axes = orthonormal(
      axes.map((axis) => {
        const next = new Float64Array(columns.size);
        for (const row of rows) {
          const part = project(row, axis);
          for (const [column, weight] of row) next[column]! += part * weight;
        }
        return next;
      }),
    );
  }
  return (text) => {
    const row = weigh(termsOf(text));
    return unit(Float32Array.from(axes, (axis) => project(row, axis)));
  };
}

/** Gram-Schmidt orthonormalization. */
function orthonormal(axes: Float64Array[]): Float64Array[] {
  for (const [place, axis] of axes.entries()) {
    for (const earlier of axes.slice(0, place)) {
      let shared = 0;
      for (const [column, value] of axis.entries()) shared += value * earlier[column]!;
      for (const column of axis.keys()) axis[column]! -= shared * earlier[column]!;
    }
    const length = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (const column of axis.keys()) axis[column]! /= length;
  }
  return axes;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** FNV-1a, 32 bit. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/** Reproducible normally distributed numbers (mulberry32). */
function normalFrom(seed: number): () => number {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
