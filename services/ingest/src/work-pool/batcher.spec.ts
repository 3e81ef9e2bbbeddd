import { describe, expect, it } from "@jest/globals";
import { Batcher } from "./batcher.ts";

/** Groups that end when told to; each item's result is its double. */
function startBatcher(options: { maxItems: number; maxConcurrent?: number }) {
  const groups: { items: number[]; end: PromiseWithResolvers<void> }[] = [];
  const batcher = new Batcher<number, number>(async (items) => {
    const end = Promise.withResolvers<void>();
    groups.push({ items, end });
    await end.promise;
    return items.map((item) => item * 2);
  }, options);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { batcher, groups, turn, itemsOf: () => groups.map(({ items }) => items) };
}

describe("calls in groups", () => {
  it("are handled at once, and together while a group is running", async () => {
    const { batcher, groups, turn, itemsOf } = startBatcher({ maxItems: 10 });
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

  it("start beside other groups up to a limit, even when theirs isn't full", async () => {
    const { batcher, groups, turn, itemsOf } = startBatcher({ maxItems: 2, maxConcurrent: 2 });
    const first = batcher.run(1);
    await turn();
    const second = batcher.run(2);
    await turn();
    expect(itemsOf()).toEqual([[1], [2]]);
    const later = [3, 4, 5].map((item) => batcher.run(item));
    await turn();
    expect(groups).toHaveLength(2);
    groups[1]!.end.resolve();
    expect(await second).toBe(4);
    await turn();
    expect(itemsOf().slice(2)).toEqual([[3, 4]]);
    groups[0]!.end.resolve();
    expect(await first).toBe(2);
    await turn();
    expect(itemsOf().slice(3)).toEqual([[5]]);
    for (const { end } of groups) end.resolve();
    expect(await Promise.all(later)).toEqual([6, 8, 10]);
  });

  it("fail together, and the next group is handled", async () => {
    const { batcher, groups, turn } = startBatcher({ maxItems: 10 });
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
