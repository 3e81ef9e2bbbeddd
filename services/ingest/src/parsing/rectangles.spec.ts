import { describe, expect, it } from "@jest/globals";
import { rectanglesFor } from "./rectangles.ts";

const page = (number: number, start: number, runs: number[][]) => ({
  page: number,
  start,
  end: start + 100,
  runs: Float32Array.from(runs.flat()),
});

describe("rectangles of a range", () => {
  const pages = [
    page(1, 0, [
      [0, 10, 50, 700, 100, 12],
      [11, 10, 160, 700, 100, 12],
      [22, 20, 50, 680, 200, 12],
    ]),
    page(2, 102, [[0, 10, 50, 700, 100, 12]]),
  ];
  it("join the runs of a line and keep lines apart", () => {
    expect(rectanglesFor(pages, 0, 42)).toEqual([
      { page: 1, x: 50, y: 700, width: 210, height: 12 },
      { page: 1, x: 50, y: 680, width: 200, height: 12 },
    ]);
  });
  it("cut a partly covered run", () => {
    expect(rectanglesFor(pages, 27, 32)).toEqual([
      { page: 1, x: 100, y: 680, width: 50, height: 12 },
    ]);
  });
  it("continue on the next page, and are empty where nothing is drawn", () => {
    expect(rectanglesFor(pages, 30, 107).map((r) => r.page)).toEqual([1, 2]);
    expect(rectanglesFor(pages, 60, 70)).toEqual([]);
    expect(rectanglesFor([], 0, 10)).toEqual([]);
  });
});
