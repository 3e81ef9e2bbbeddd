import { expect, it } from "@jest/globals";
import { SharedReads } from "./shared-reads.ts";

it("readers that arrive during a request share the next one, which starts after they arrived", async () => {
  const reads = new SharedReads<number>();
  let written = 0;
  let asked = 0;
  const ask = async (): Promise<number> => {
    asked += 1;
    const seen = written;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    return seen;
  };
  const first = reads.read("a", ask);
  written = 1;
  const later = await Promise.all([
    reads.read("a", ask),
    reads.read("a", ask),
    reads.read("b", ask),
  ]);
  expect(await first).toBe(0);
  expect(later).toEqual([1, 1, 1]);
  expect(asked).toBe(3);
  written = 2;
  expect(await reads.read("a", ask)).toBe(2);
  expect(asked).toBe(4);
});

it("a failure only reaches the readers that share it", async () => {
  const reads = new SharedReads<number>();
  const failing = reads.read("a", () => Promise.reject(new Error("unreachable")));
  const next = reads.read("a", () => Promise.resolve(7));
  await expect(failing).rejects.toThrow("unreachable");
  expect(await next).toBe(7);
});
