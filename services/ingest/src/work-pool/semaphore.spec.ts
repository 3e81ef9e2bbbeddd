import { describe, expect, it } from "@jest/globals";
import { Semaphore } from "./semaphore.ts";

describe("Semaphore", () => {
  it("never exceeds its limit, runs an oversized task alone, and preserves order", async () => {
    const semaphore = new Semaphore(100);
    let held = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      [60, 30, 50, 250, 10, 90].map((bytes, i) =>
        semaphore.use(bytes, async () => {
          order.push(i);
          held += bytes;
          if (held > 100) expect(held).toBe(250);
          most = Math.max(most, held);
          await new Promise((resolve) => setTimeout(resolve, 5));
          held -= bytes;
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    expect(most).toBe(250);
  });
  it("releases what a failed task held", async () => {
    const semaphore = new Semaphore(10);
    await expect(semaphore.use(10, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await semaphore.use(10, () => Promise.resolve("yes"))).toBe("yes");
  });
});
