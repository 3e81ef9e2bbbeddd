import { describe, expect, it } from "@jest/globals";
import { LruCache } from "./lru-cache.ts";

describe("Recent", () => {
  it("evicts the least recently used texts when it is full", () => {
    const cache = new LruCache<number>(10);
    cache.set("aaaa", 1);
    cache.set("bbbb", 2);
    expect(cache.get("aaaa")).toBe(1);
    cache.set("cccc", 3);
    expect([cache.get("aaaa"), cache.get("bbbb"), cache.get("cccc")]).toEqual([1, undefined, 3]);
  });
  it("counts a text once, and skips texts larger than its limit", () => {
    const cache = new LruCache<number>(10);
    for (let n = 0; n < 5; n += 1) cache.set("aaaa", n);
    cache.set("bbbb", 7);
    expect([cache.get("aaaa"), cache.get("bbbb")]).toEqual([4, 7]);
    cache.set("c".repeat(11), 1);
    expect(cache.get("c".repeat(11))).toBeUndefined();
  });
});
