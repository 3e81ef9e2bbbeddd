import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Coalescer } from "./coalescer.ts";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

describe("Coalescer", () => {
  it("sends the first text at once and batches the rest", async () => {
    const parts: string[] = [];
    const coalescer = new Coalescer(async (text) => {
      parts.push(text);
    }, 20);
    coalescer.push("a");
    await nextTurn();
    expect(parts).toEqual(["a"]);
    for (const text of ["b", "c", "d"]) coalescer.push(text);
    mock.timers.tick(9); // at least half of the delay
    await nextTurn();
    expect(parts).toEqual(["a"]);
    mock.timers.tick(22); // at most one and a half
    await nextTurn();
    expect(parts).toEqual(["a", "bcd"]);
    coalescer.push("e");
    await coalescer.finish();
    expect(parts).toEqual(["a", "bcd", "e"]);
  });

  it("sends larger parts to a slow stream instead of queueing more, and keeps the order", async () => {
    const parts: string[] = [];
    const waiting: (() => void)[] = [];
    const coalescer = new Coalescer(async (text) => {
      parts.push(text);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }, 5);
    const numbers = Array.from({ length: 40 }, (_, index) => `${index},`);
    for (const [index, text] of numbers.entries()) {
      coalescer.push(text);
      mock.timers.tick(10);
      if (index === 19) waiting.shift()!();
      await nextTurn();
    }
    const finished = coalescer.finish();
    for (let flush = 0; flush < 2; flush += 1) {
      await nextTurn();
      waiting.shift()!();
    }
    await finished;
    expect(parts).toEqual([numbers[0], numbers.slice(1, 20).join(""), numbers.slice(20).join("")]);
  });

  it("reports a failed flush to the producer", async () => {
    const coalescer = new Coalescer(async () => {
      throw new Error("full");
    }, 1);
    coalescer.push("a");
    await nextTurn();
    expect(() => coalescer.push("b")).toThrow("full");
    await expect(coalescer.finish()).rejects.toThrow("full");
  });
});
