import { describe, expect, it } from "@jest/globals";
import { Recent } from "./recent.ts";

describe("Recent", () => {
  it("evicts the least recently used texts when it is full", () => {
    const recent = new Recent<number>(10);
    recent.set("aaaa", 1);
    recent.set("bbbb", 2);
    expect(recent.get("aaaa")).toBe(1);
    recent.set("cccc", 3);
    expect([recent.get("aaaa"), recent.get("bbbb"), recent.get("cccc")]).toEqual([1, undefined, 3]);
  });
  it("counts a text once, and skips texts larger than its limit", () => {
    const recent = new Recent<number>(10);
    for (let n = 0; n < 5; n += 1) recent.set("aaaa", n);
    recent.set("bbbb", 7);
    expect([recent.get("aaaa"), recent.get("bbbb")]).toEqual([4, 7]);
    recent.set("c".repeat(11), 1);
    expect(recent.get("c".repeat(11))).toBeUndefined();
  });
});
