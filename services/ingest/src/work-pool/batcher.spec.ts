import { describe, expect, it } from "@jest/globals";
import { Batcher } from "./batcher.ts";

/** Groups that end when told to; each item's result is its double. */
function controlled(o: { most: number; atOnce?: number }) {
  const groups: { items: number[]; end: PromiseWithResolvers<void> }[] = [];
  const batcher = new Batcher<number, number>(async (items) => {
    const end = Promise.withResolvers<void>();
    groups.push({ items, end });
    await end.promise;
    return items.map((item) => item * 2);
  }, o);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { batcher, groups, turn, itemsOf: () => groups.map(({ items }) => items) };
}

describe("calls in groups", () => {
  it("are handled at once, and together while a group is running", async () => {
    const { batcher, groups, turn, itemsOf } = controlled({ most: 10, atOnce: 4 });
    const first = batcher.run(1);
    await turn();
    expect(itemsOf()).toEqual([[1]]);
    const later = [2, 3, 4].map((item) => batcher.run(item));
    await turn();
    expect(itemsOf()).toEqual([[1]]);
    groups[0]!.end.resolve();
    expect(await first).toBe(2);
    await turn();
    expect(itemsOf()).toEqual([[1], [2, 3, 4]]);
    groups[1]!.end.resolve();
    expect(await Promise.all(later)).toEqual([4, 6, 8]);
  });

  it("run beside each other only when full, up to a limit", async () => {
    const { batcher, groups, turn, itemsOf } = controlled({ most: 2, atOnce: 2 });
    const all = [1, 2, 3, 4, 5, 6, 7].map((item) => batcher.run(item));
    await turn();
    expect(itemsOf()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    groups[0]!.end.resolve();
    await turn();
    expect(itemsOf().at(-1)).toEqual([5, 6]);
    groups[1]!.end.resolve();
    await turn();
    expect(groups).toHaveLength(3);
    groups[2]!.end.resolve();
    await turn();
    expect(itemsOf().at(-1)).toEqual([7]);
    groups[3]!.end.resolve();
    expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10, 12, 14]);
  });

  it("fail together, and the next group is handled", async () => {
    const { batcher, groups, turn } = controlled({ most: 10 });
    const failing = Promise.allSettled([batcher.run(1), batcher.run(2)]);
    await turn();
    const next = batcher.run(3);
    groups[0]!.end.reject(new Error("no"));
    expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await turn();
    groups[1]!.end.resolve();
    expect(await next).toBe(6);
  });
});
