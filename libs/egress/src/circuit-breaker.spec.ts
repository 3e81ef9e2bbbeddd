import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { CircuitBreaker } from "./circuit-breaker.ts";

class UnreachableError extends Error {}
const isUnreachable = (fault: unknown): fault is UnreachableError =>
  fault instanceof UnreachableError;

describe("a circuit breaker", () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(Date, "now").mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const unreachable = new UnreachableError("the target is unreachable");
  const open = async () => {
    const breaker = new CircuitBreaker(isUnreachable, { firstMs: 1_000, longestMs: 15_000 });
    await expect(breaker.run(() => Promise.reject(unreachable))).rejects.toBe(unreachable);
    return breaker;
  };

  it("rejects calls at once with the last fault, and lets one through from time to time", async () => {
    const breaker = await open();
    expect(breaker.fault).toBe(unreachable);
    const work = jest.fn(() => Promise.resolve("an answer"));
    await expect(breaker.run(work)).rejects.toBe(unreachable);
    expect(work).not.toHaveBeenCalled();
    now += 15_001;
    await expect(breaker.run(work)).resolves.toBe("an answer");
    expect(breaker.fault).toBeNull();
    await expect(breaker.run(work)).resolves.toBe("an answer");
  });

  it("lets no other call wait for the one that tries the target", async () => {
    const breaker = await open();
    now += 15_001;
    const trial = Promise.withResolvers<string>();
    const first = breaker.run(() => trial.promise);
    await expect(breaker.run(() => Promise.resolve("late"))).rejects.toBe(unreachable);
    trial.reject(new UnreachableError("still unreachable"));
    await expect(first).rejects.toThrow("still unreachable");
    expect(breaker.fault?.message).toBe("still unreachable");
    await expect(breaker.run(() => Promise.resolve("late"))).rejects.toThrow("still unreachable");
  });

  it("stays closed until the given number of calls in a row has failed", async () => {
    const breaker = new CircuitBreaker(isUnreachable, { failures: 3 });
    const fail = () =>
      expect(breaker.run(() => Promise.reject(unreachable))).rejects.toBe(unreachable);
    const succeed = () =>
      expect(breaker.run(() => Promise.resolve("an answer"))).resolves.toBeDefined();
    for (const step of [fail, fail, succeed, fail, fail, succeed, fail, fail, fail]) await step();
    await expect(breaker.run(() => Promise.resolve("an answer"))).rejects.toBe(unreachable);
  });

  it("counts every response as reaching the target, also a refusal", async () => {
    const breaker = await open();
    now += 15_001;
    await expect(breaker.run(() => Promise.reject(new Error("refused")))).rejects.toThrow(
      "refused",
    );
    expect(breaker.fault).toBeNull();
    await expect(breaker.run(() => Promise.reject(new Error("refused")))).rejects.toThrow(
      "refused",
    );
    expect(breaker.fault).toBeNull();
  });
});
