import { describe, expect, it } from "@jest/globals";
import { searchNames } from "./workspace.handler.ts";

const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));
const search = (term: string, ...names: string[]): string[] =>
  searchNames(named(...names), term).map(({ name }) => name);

describe("searching names", () => {
  it.each([
    ["paper", ["Old papers", "Papers", "Pepper", "Notes"], ["Papers", "Old papers", "Pepper"]],
    ["researhc", ["Research", "Reading"], ["Research"]],
    ["GRÖSSE", ["größe", "Grösse"], ["Grösse", "größe"]],
    ["ﬁnance", ["Finance"], ["Finance"]],
    // Three different letters make a different word rather than three typos.
    ["abc", ["xyz", "abd", "ab"], ["abd", "ab"]],
    ["100%_", ["100%_ sure", "100 sure thing"], ["100%_ sure"]],
    ["  ", ["Anything"], []],
    ["", ["Anything"], []],
  ])("%j", (term, names, found) => {
    expect(search(term, ...names)).toEqual(found);
  });

  it("takes no noticeable time for 5,000 names", () => {
    const all = Array.from({ length: 5_000 }, (_, index) => ({
      name: `Workspace of team ${index} for research ${index % 7}`,
    })).concat(named("Quarterly reprots"));
    for (let warm = 0; warm < 5; warm += 1) searchNames(all, "warm up");
    const times = Array.from({ length: 20 }, () => {
      const begun = process.threadCpuUsage();
      expect(searchNames(all, "quarterly reports").map(({ name }) => name)).toEqual([
        "Quarterly reprots",
      ]);
      return process.threadCpuUsage(begun).user;
    }).toSorted((a, b) => a - b);
    // The median, because garbage collection can slow down single runs.
    expect(times[10]).toBeLessThan(200_000);
    expect(searchNames(all, "team")).toHaveLength(100);
  });
});
