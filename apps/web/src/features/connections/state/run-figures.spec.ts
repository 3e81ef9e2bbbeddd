import type { ConnectionRunWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { foldUnchanged, noteProgress, readRate, secondsLeft } from "./run-figures.ts";

const run = (more: Partial<ConnectionRunWire>): ConnectionRunWire => ({
  id: "r",
  connectionId: "c",
  state: "running",
  isListed: true,
  found: 100,
  fetched: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  removed: 0,
  bytes: 0,
  startedBy: null,
  createdAt: "",
  startedAt: null,
  endedAt: null,
  waitsUntil: null,
  fault: null,
  ...more,
});

describe("the rate of an import", () => {
  const fetched = (count: number, more: Partial<ConnectionRunWire> = {}): ConnectionRunWire =>
    run({ fetched: count, found: 1_000, ...more });

  it("follows the last half minute", () => {
    // Ten items per second, then one.
    for (let second = 0; second <= 60; second += 1)
      noteProgress(fetched(second * 10), second * 1_000);
    expect(readRate(fetched(600))).toBe(10);
    for (let second = 61; second <= 100; second += 1)
      noteProgress(fetched(540 + second), second * 1_000);
    expect(readRate(fetched(640))).toBe(1);
  });
  it("is unknown at first, at a standstill, and after a pause", () => {
    const at = { id: "another" };
    expect(readRate(fetched(3, at))).toBeNull();
    noteProgress(fetched(3, at), 0);
    expect(readRate(fetched(3, at))).toBeNull();
    noteProgress(fetched(3, at), 5_000);
    expect(readRate(fetched(3, at))).toBeNull();
    noteProgress(fetched(8, at), 10_000);
    expect(readRate(fetched(8, at))).toBe(0.5);
    noteProgress(fetched(8, { ...at, state: "paused" }), 20_000);
    expect(readRate(fetched(8, { ...at, state: "paused" }))).toBeNull();
    noteProgress(fetched(8, at), 60_000);
    expect(readRate(fetched(8, at))).toBeNull();
  });
  it("tells the time left once everything is listed", () => {
    const done = { fetched: 20, unchanged: 10, skipped: 5, failed: 5 };
    expect(secondsLeft(run(done), 2)).toBe(30);
    expect(secondsLeft(run({ ...done, isListed: false }), 2)).toBeNull();
    expect(secondsLeft(run(done), null)).toBeNull();
  });
});

describe("runs that changed nothing", () => {
  const past = (id: string, more: Partial<ConnectionRunWire> = {}): ConnectionRunWire =>
    run({ id, state: "finished", unchanged: 90, skipped: 2, ...more });

  it("are one entry if they follow each other", () => {
    const runs = [
      past("f"),
      past("e"),
      past("d", { fetched: 1 }),
      past("c"),
      past("b", { removed: 1 }),
      past("a", { fault: { code: "source.listed-in-part" } }),
      past("9", { state: "cancelled" }),
    ];
    expect(foldUnchanged(runs).map((each) => each.map(({ id }) => id).join(""))).toEqual([
      "fe",
      "d",
      "c",
      "b",
      "a",
      "9",
    ]);
  });
});
