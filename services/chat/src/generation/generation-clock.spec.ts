import { mock } from "node:test";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { GenerationClock } from "./generation-clock.ts";
import type { GenerationLeaseRepository } from "./generation-lease.repository.ts";

const replica = { hasWork: false };
const elsewhere = { hasWork: false, looks: 0, isReachable: true };
let ticks = 0;
let stop: () => void;
let clock: GenerationClock;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  Object.assign(replica, { hasWork: false });
  Object.assign(elsewhere, { hasWork: false, looks: 0, isReachable: true });
  clock = new GenerationClock({
    existAny: () => {
      elsewhere.looks++;
      return elsewhere.isReachable
        ? Promise.resolve(elsewhere.hasWork)
        : Promise.reject(new Error("unreachable"));
    },
  } as GenerationLeaseRepository);
  ticks = 0;
  stop = clock.onTick(
    () => ticks++,
    () => replica.hasWork,
  );
});
afterEach(() => {
  stop();
  mock.timers.reset();
});

async function seconds(count: number): Promise<void> {
  for (let step = 0; step < count * 10; step++) {
    mock.timers.tick(100);
    await new Promise((done) => setImmediate(done));
  }
}

describe("GenerationClock", () => {
  it("checks every four seconds while there are no answers", async () => {
    await seconds(40);
    expect(ticks).toBe(0);
    expect(elsewhere.looks).toBeGreaterThanOrEqual(10);
    expect(elsewhere.looks).toBeLessThanOrEqual(11);
  });

  it("notices a lease of another replica before it can expire, and ticks every second", async () => {
    await seconds(20);
    elsewhere.hasWork = true;
    await seconds(5);
    expect(ticks).toBeGreaterThanOrEqual(1);
    const before = ticks;
    await seconds(30);
    expect(ticks - before).toBe(30);
  });

  it("ticks within a second of an answer on this replica, without asking PostgreSQL", async () => {
    await seconds(21);
    const { looks } = elsewhere;
    replica.hasWork = true;
    clock.wake();
    await seconds(1);
    expect(ticks).toBe(1);
    await seconds(20);
    expect(ticks).toBe(21);
    expect(elsewhere.looks).toBe(looks);
  });

  it("stops ticking ten seconds after the last answer", async () => {
    replica.hasWork = true;
    await seconds(5);
    replica.hasWork = false;
    await seconds(9);
    const before = ticks;
    expect(before).toBeGreaterThanOrEqual(13);
    await seconds(60);
    expect(ticks - before).toBeLessThanOrEqual(2);
  });

  it("ticks while PostgreSQL is unreachable, so that the listeners retry", async () => {
    elsewhere.isReachable = false;
    await seconds(10);
    expect(ticks).toBeGreaterThanOrEqual(9);
  });

  it("stops with its last listener", async () => {
    stop();
    const { looks } = elsewhere;
    await seconds(60);
    expect([ticks, elsewhere.looks]).toEqual([0, looks]);
  });
});
