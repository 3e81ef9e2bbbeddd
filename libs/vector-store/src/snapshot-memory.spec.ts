import { describe, expect, it } from "@jest/globals";
import { defaultMemoryBytes, SnapshotMemory, type MemoryUser } from "./snapshot-memory.ts";

function user(bytes: number, secondsAgo: number, dropped: MemoryUser[] = []): MemoryUser {
  const made: MemoryUser = {
    bytes,
    usedAt: performance.now() - secondsAgo * 1_000,
    drop: () => dropped.push(made),
  };
  return made;
}

describe("memory for what searches read", () => {
  it("drops what hasn't been searched for a while, never what is in use", () => {
    const dropped: MemoryUser[] = [];
    const memory = new SnapshotMemory(100);
    const [old, older, used] = [user(30, 60, dropped), user(30, 90, dropped), user(30, 1, dropped)];
    for (const one of [old, older, used]) expect(memory.admit(one)).toBe(true);
    expect(memory.admit(user(80, 0))).toBe(false);
    expect(dropped).toEqual([]);
    const next = user(30, 0, dropped);
    expect(memory.admit(next)).toBe(true);
    expect(dropped).toEqual([older]);
    memory.release(old);
    expect(memory.admit(user(40, 0))).toBe(true);
    expect(dropped).toEqual([older]);
  });

  it("drops what has been searched least recently when the others grow", () => {
    const dropped: MemoryUser[] = [];
    const memory = new SnapshotMemory(100);
    const growing = { ...user(30, 0, dropped) };
    const [old, older] = [user(30, 2, dropped), user(30, 3, dropped)];
    for (const one of [old, growing, older]) memory.admit(one);
    Object.assign(growing, { bytes: 60 });
    memory.shrink();
    expect(dropped).toEqual([older]);
    Object.assign(growing, { bytes: 120 });
    memory.shrink();
    expect(dropped).toHaveLength(3);
  });

  it("is a share of the machine's unless configured", () => {
    expect(defaultMemoryBytes()).toBeGreaterThanOrEqual(192 << 20);
    expect(defaultMemoryBytes()).toBeLessThanOrEqual(1 << 30);
  });
});
