import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { CircuitBreaker } from "./circuit-breaker.ts";

class AwayError extends Error {}
const isAway = (fault: unknown): fault is AwayError => fault instanceof AwayError;

describe("a circuit breaker", () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(Date, "now").mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const away = new AwayError("the target is away");
  const open = async () => {
    const breaker = new CircuitBreaker(isAway, { firstMs: 1_000, longestMs: 15_000 });
    await expect(breaker.run(() => Promise.reject(away))).rejects.toBe(away);
    return breaker;
  };

  it("rejects calls at once with the last fault, and lets one through from time to time", async () => {
    const breaker = await open();
    expect(breaker.fault).toBe(away);
    const work = jest.fn(() => Promise.resolve("an answer"));
    await expect(breaker.run(work)).rejects.toBe(away);
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
    await expect(breaker.run(() => Promise.resolve("late"))).rejects.toBe(away);
    trial.reject(new AwayError("still away"));
    await expect(first).rejects.toThrow("still away");
    expect(breaker.fault?.message).toBe("still away");
    await expect(breaker.run(() => Promise.resolve("late"))).rejects.toThrow("still away");
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
