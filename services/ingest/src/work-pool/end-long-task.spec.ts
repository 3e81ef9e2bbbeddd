import { expect, it } from "@jest/globals";
import { endLongTask, type LongTask } from "./fair-places.ts";

/** Names of tasks, the oldest first; the first letter is the owner. Those in capitals never end. */
function endOne(names: string[], extra: number, waiting: string): string[] {
  const ended: string[] = [];
  const long = names.map((name): LongTask => {
    const end = name === name.toUpperCase() ? null : () => void ended.push(name);
    return { owner: name[0]!.toLowerCase(), end, isEnding: false };
  });
  endLongTask(long, extra, new Set(waiting));
  expect(long.filter(({ isEnding }) => isEnding)).toHaveLength(ended.length);
  return ended;
}

it.each<[what: string, names: string[], extra: number, waiting: string, ended: string[]]>([
  ["nothing while extra threads are enough", ["a1", "b1"], 2, "c", []],
  ["nothing of somebody who only waits for their own", ["a1", "a2"], 2, "a", []],
  ["the youngest of somebody with several, for another", ["a1", "a2", "b1"], 3, "c", ["a2"]],
  ["one of whoever has most", ["a1", "b1", "b2", "b3", "a2"], 4, "c", ["b3"]],
  ["the youngest beyond the extra threads", ["a1", "b1", "d1"], 2, "c", ["d1"]],
  ["rather the waiting owner's own", ["a1", "b1", "d1"], 2, "a", ["a1"]],
  ["the youngest that can be ended", ["a1", "a2", "A"], 2, "a", ["a2"]],
  ["another's if whoever has most has none to end", ["A1", "A2", "b1"], 2, "c", ["b1"]],
  ["one of several when memory is short", ["a1", "a2"], 1, "", ["a2"]],
])("ends %s", (_what, names, extra, waiting, ended) =>
  expect(endOne(names, extra, waiting)).toEqual(ended),
);

it("ends no second one while the first is ending", () => {
  const ended: string[] = [];
  const long = ["first", "second", "third"].map((name): LongTask => ({
    owner: "a",
    end: () => void ended.push(name),
    isEnding: false,
  }));
  for (let times = 0; times < 3; times++) endLongTask(long, 2, new Set("a"));
  expect(ended).toEqual(["third"]);
});
