import { describe, expect, it } from "@jest/globals";
import { poll } from "./waiting.ts";

describe("polling a value", () => {
  const later = (values: unknown[]) => (): Promise<unknown> =>
    Promise.resolve(values.length > 1 ? values.shift() : values[0]);
  const quick = { timeoutMs: 50, intervalMs: 1 };
  it("passes once the matcher does", async () => {
    await poll(later([[], ["one"], ["one", "two"]])).toEqual(["one", "two"]);
    await poll(later([0, 7])).toBeGreaterThan(6);
    await poll(later(["Carrel", "Flow · Carrel"])).not.toBe("Carrel");
  });
  it("survives a failing read", async () => {
    let reads = 0;
    await poll(() => {
      if ((reads += 1) < 3) throw new Error("not there");
      return reads;
    }).toBe(3);
  });
  it("fails with the matcher's message for the last value", async () => {
    await expect(poll(later(["first", "last"]), { timeoutMs: 500 }).toBe("never")).rejects.toThrow(
      /Expected: .*never[\s\S]*Received: .*last/,
    );
    await expect(poll(later([1]), quick).not.toBe(1)).rejects.toThrow(/not/);
    await expect(poll(() => Promise.reject(new Error("no page")), quick).toBe(1)).rejects.toThrow(
      "no page",
    );
  });
});
