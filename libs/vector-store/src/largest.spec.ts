import { describe, expect, it } from "@jest/globals";
import { largest } from "./largest.ts";

const bySorting = (scores: Int32Array, limit: number, least: number): number[] =>
  [...scores.keys()]
    .filter((row) => scores[row]! > least)
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, limit);

describe("largest", () => {
  const lowest = -0x8000_0000;
  const cases: [string, Int32Array, number][] = [
    ["no scores", new Int32Array(0), lowest],
    ["fewer than wanted", Int32Array.of(3, 1, 2), lowest],
    ["none above the least", new Int32Array(500), 0],
    ["equal ones", new Int32Array(5_000).fill(7), 0],
    ["few values", Int32Array.from({ length: 5_000 }, (_, n) => (n * 7_919) % 13), 2],
    [
      "all of 32 bits",
      Int32Array.from({ length: 20_000 }, (_, n) => Math.imul(n + 1, 0x9e3779b1)),
      lowest,
    ],
    [
      "many close together and some far away",
      Int32Array.from({ length: 9_000 }, (_, n) => (n % 900 === 0 ? 2 ** 31 - 1 - n : n % 3)),
      0,
    ],
    [
      "the bits of floats",
      new Int32Array(
        Float32Array.from({ length: 9_000 }, (_, n) => Math.max(0, Math.sin(n) * n)).buffer,
      ),
      0,
    ],
  ];
  it.each(cases)("finds them among %s", (_, scores, least) => {
    for (const limit of [1, 10, 300])
      expect(largest(scores, limit, least)).toEqual(bySorting(scores, limit, least));
  });
});
