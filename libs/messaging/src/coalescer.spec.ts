import { describe, expect, it } from "@jest/globals";
import { Coalescer } from "./coalescer.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("Coalescer", () => {
  it("sends the first text at once and batches the rest", async () => {
    const parts: string[] = [];
    const coalescer = new Coalescer(async (text) => {
      parts.push(text);
    }, 15);
    coalescer.push("a");
    await wait(1);
    expect(parts).toEqual(["a"]);
    for (const text of ["b", "c", "d"]) coalescer.push(text);
    await wait(1);
    expect(parts).toEqual(["a"]);
    await wait(40);
    expect(parts).toEqual(["a", "bcd"]);
    coalescer.push("e");
    await coalescer.finish();
    expect(parts).toEqual(["a", "bcd", "e"]);
  });

  it("sends larger parts to a slow stream instead of queueing more, and keeps the order", async () => {
    const parts: string[] = [];
    const coalescer = new Coalescer(async (text) => {
      await wait(30);
      parts.push(text);
    }, 5);
    for (let index = 0; index < 40; index += 1) {
      coalescer.push(`${index},`);
      await wait(2);
    }
    await coalescer.finish();
    expect(parts.join("")).toBe(Array.from({ length: 40 }, (_, index) => `${index},`).join(""));
    expect(parts.length).toBeLessThan(12);
  });

  it("reports a failed flush to the producer", async () => {
    const coalescer = new Coalescer(async () => {
      throw new Error("full");
    }, 1);
    coalescer.push("a");
    await wait(5);
    expect(() => coalescer.push("b")).toThrow("full");
    await expect(coalescer.finish()).rejects.toThrow("full");
  });
});
