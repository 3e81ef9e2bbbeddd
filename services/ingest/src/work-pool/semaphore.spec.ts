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

  it("tells a task whether it had to wait", async () => {
    const semaphore = new Semaphore(1);
    const hasWaited = (waited: boolean): Promise<boolean> => Promise.resolve(waited);
    expect(await Promise.all([semaphore.use(1, hasWaited), semaphore.use(1, hasWaited)])).toEqual([
      false,
      true,
    ]);
  });

  it("lets a waiting task leave, and admits those behind it", async () => {
    const semaphore = new Semaphore(10);
    const first = Promise.withResolvers<void>();
    const running = semaphore.use(4, () => first.promise);
    const timeout = new AbortController();
    const leaving = semaphore.use(10, () => Promise.resolve(), {
      signal: timeout.signal,
    });
    const behind = semaphore.use(4, () => Promise.resolve("admitted"));
    timeout.abort(new Error("too late"));
    await expect(leaving).rejects.toThrow("too late");
    expect(await behind).toBe("admitted");
    first.resolve();
    await running;
    await expect(
      semaphore.use(1, () => Promise.resolve("free"), { signal: timeout.signal }),
    ).resolves.toBe("free");
  });

  it("admits waiting tasks once one holds less, and none while one holds more", async () => {
    const semaphore = new Semaphore(10);
    expect(semaphore.tryAcquire(6)).toBe(true);
    semaphore.adjust(6, 12);
    const waiting = semaphore.use(4, () => Promise.resolve("admitted"));
    expect(await Promise.race([waiting, Promise.resolve("waiting")])).toBe("waiting");
    semaphore.adjust(12, 6);
    expect(await waiting).toBe("admitted");
    semaphore.release(6);
    expect(semaphore.tryAcquire(10)).toBe(true);
  });

  it("is acquired without waiting only if there is room and no one is waiting", async () => {
    const semaphore = new Semaphore(2);
    expect([1, 1, 1].map((permits) => semaphore.tryAcquire(permits))).toEqual([true, true, false]);
    const waiting = semaphore.use(2, () => Promise.resolve());
    semaphore.release(1);
    expect(semaphore.tryAcquire(1)).toBe(false);
    semaphore.release(1);
    await waiting;
    expect(semaphore.tryAcquire(2)).toBe(true);
  });
});
