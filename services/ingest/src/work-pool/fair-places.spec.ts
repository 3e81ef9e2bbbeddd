import { setImmediate as settle } from "node:timers/promises";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { FairPlaces } from "./fair-places.ts";

/** Starts tasks that run until they are ended, and reports which have begun. */
function start(places: FairPlaces) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    /** The first letter of a task's name is its owner. */
    add: async (name: string, size = 1_000_000): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      void places.use(name[0]!, size, () => {
        begun.push(name);
        ends.set(name, resolve);
        return promise;
      });
      await settle();
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)!();
      await settle();
    },
  };
}

describe("FairPlaces", () => {
  afterEach(() => void jest.restoreAllMocks());

  it("gives a free place to whoever holds the fewest", async () => {
    const { begun, add, end } = start(new FairPlaces(2, { beyond: 0 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) await add(name);
    expect(begun).toEqual(["a1", "a2"]);
    for (const name of ["a1", "b1", "a2"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3"]);
  });

  it("has places beyond the limit for those who hold none, up to a limit of their own", async () => {
    const { begun, add, end } = start(new FairPlaces(2, { beyond: 2 }));
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1", "d1"]) await add(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1"]);
    await end("c1");
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "d1"]);
    // Back at the limit, so the next place is an ordinary one.
    for (const name of ["d1", "b1", "a1"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "d1", "b2"]);
  });

  it("lets several tasks of an owner run beyond the limit if that is allowed", async () => {
    const { begun, add } = start(new FairPlaces(2, { beyond: 9, own: 3 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"]) await add(name);
    expect(begun).toEqual(["a1", "a2", "a3", "b1", "b2", "b3"]);
  });

  it("runs one small task more, whoever its owner is", async () => {
    const { begun, add } = start(new FairPlaces(1, { beyond: 0, oneSmallMore: true }));
    await add("a1");
    await add("a2");
    await add("a3", 50_000);
    await add("a4", 50_000);
    expect(begun).toEqual(["a1", "a3"]);
  });

  it("lets an owner's smaller tasks overtake, but not those that have waited for 10 s", async () => {
    const clock = jest.spyOn(performance, "now");
    const { begun, add, end } = start(new FairPlaces(1, { beyond: 0 }));
    const waiting: [string, number, number][] = [
      ["a first", 9, 0],
      ["a large", 5, 1],
      ["a small", 2, 2],
      ["a smaller", 1, 10],
      ["a last", 0, 13],
    ];
    for (const [name, size, second] of waiting) {
      clock.mockReturnValue(second * 1000);
      await add(name, size);
    }
    for (let n = 0; n < waiting.length; n++) await end(begun.at(-1)!);
    expect(begun).toEqual(["a first", "a smaller", "a small", "a large", "a last"]);
  });

  it("says whether a task would start, and admits waiting ones when the limit rises", async () => {
    const places = new FairPlaces(1, { beyond: 1 });
    const { begun, add } = start(places);
    await add("a1");
    expect([places.hasRoom("a"), places.hasRoom("b")]).toEqual([false, true]);
    expect(places.tryAcquire("a")).toBe(false);
    await add("a2");
    expect(places.waitingOwners).toEqual(new Set("a"));
    places.resize(2);
    expect(begun).toEqual(["a1"]);
    await settle();
    expect(begun).toEqual(["a1", "a2"]);
    await expect(places.use("b", 1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(places.tryAcquire("b")).toBe(true);
  });
});
