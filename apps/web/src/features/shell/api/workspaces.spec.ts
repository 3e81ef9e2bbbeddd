import { describe, expect, it } from "@jest/globals";
import { moveTo, orderWorkspaces, parseOrder } from "./workspaces.ts";

const spaces = [1, 2, 3, 4].map((id) => ({ id }));
const ids = (list: { id: number }[]): number[] => list.map(({ id }) => id);

describe("workspace order", () => {
  it("follows the stored order, puts unlisted workspaces first and skips deleted ones", () => {
    expect(ids(orderWorkspaces(spaces, [3, 9, 1]))).toEqual([2, 4, 3, 1]);
    expect(ids(orderWorkspaces(spaces, []))).toEqual([1, 2, 3, 4]);
  });
  it("is empty when storage holds something else", () => {
    expect(["[3,1]", '["3",null,2]', "{}", "nonsense", "", null].map(parseOrder)).toEqual([
      [3, 1],
      [2],
      [],
      [],
      [],
      [],
    ]);
  });
  it("moves an entry, clamped to the ends of the list", () => {
    expect([
      moveTo([1, 2, 3], 1, 1),
      moveTo([1, 2, 3], 3, 0),
      moveTo([1, 2, 3], 2, 99),
      moveTo([1, 2, 3], 2, -1),
    ]).toEqual([
      [2, 1, 3],
      [3, 1, 2],
      [1, 3, 2],
      [2, 1, 3],
    ]);
  });
});
