import { expect, it } from "@jest/globals";
import { splitPaths } from "./path-parts.ts";

it("splits a list by count and by bytes without losing items", () => {
  expect([...splitPaths([], 10)]).toEqual([]);
  expect([...splitPaths(["a", "b", "c"], 2)]).toEqual([["a", "b"], ["c"]]);
  const long = Array.from({ length: 400 }, (_, n) => `${n}-${"é".repeat(1_000)}`);
  const parts = [...splitPaths(long, 5_000)];
  expect(parts.flat()).toEqual(long);
  expect(Math.max(...parts.map((part) => Buffer.byteLength(JSON.stringify(part))))).toBeLessThan(
    200_000,
  );
});
