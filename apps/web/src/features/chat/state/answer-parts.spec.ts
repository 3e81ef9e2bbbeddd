import type { RunStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { cutParts, foldSteps, type RunEvent } from "./answer-parts.ts";
import { joinBlocks, splitGeneration, type Thought } from "./thoughts.ts";

const step = (id: number, at = 0, state: RunStep["state"] = "done"): RunStep => ({
  id,
  at,
  skill: "rag-memory",
  tool: "search-documents",
  state,
  object: null,
  input: "{}",
  result: null,
  fault: null,
  progress: null,
  milliseconds: null,
  approval: null,
  form: null,
  outputs: [],
});
const thought = (at: number, steps?: number): Thought => ({
  at,
  text: "Hm.",
  milliseconds: null,
  since: null,
  ...(steps !== undefined && { steps }),
});
const cut = (answer: string, thoughts: Thought[], steps: RunStep[], places?: readonly number[]) =>
  cutParts(answer, thoughts, steps, places ?? steps.map(({ at }) => at)).map(({ events, text }) => [
    events.map(({ key }) => key).join(" "),
    text,
  ]);

describe("parts of an answer", () => {
  it("are its text, thoughts and steps in order", () => {
    expect(cut("I'll look. It is 48.", [thought(0)], [step(1, 10), step(2, 10)])).toEqual([
      ["0", "I'll look."],
      ["s1 s2", " It is 48."],
    ]);
  });
  it("keep steps together that only blank lines separate", () => {
    expect(cut("a\n\n\n\nb", [], [step(1, 1), step(2, 3), step(3, 5)])).toEqual([
      ["", "a"],
      ["s1 s2 s3", "b"],
    ]);
  });
  it("have thoughts between steps at the same place", () => {
    expect(cut("Done.", [thought(0), thought(0, 1), thought(0, 2)], [step(1), step(2)])).toEqual([
      ["0 s1 1 s2 2", "Done."],
    ]);
  });
  it("show steps and thoughts only up to what is shown of the text", () => {
    expect(cut("abc", [thought(9)], [step(1, 3), step(2, 4)])).toEqual([
      ["", "abc"],
      ["s1", ""],
    ]);
  });
  it("are the same in a stream and in its record", () => {
    const text = "<think>a</think>Look.<think>b</think>\n\nIt is 48.";
    const look = text.indexOf("Look.");
    const second = text.lastIndexOf("<think>");
    const reasoning = [
      { start: 0, end: look, milliseconds: 1, since: null },
      { start: second, end: text.indexOf("\n"), milliseconds: 1, since: null },
    ];
    const steps = [step(1, look), step(2, second), step(3, text.length)];
    const live = splitGeneration({ text, reasoning, steps }, false);
    expect(cut(live.answer, live.thoughts, steps, live.places)).toEqual([
      ["0 s1", "Look."],
      ["s2 1", "\n\nIt is 48."],
      ["s3", ""],
    ]);
    const recorded = joinBlocks(live.thoughts.map(({ since: _, ...block }) => block));
    expect(recorded).toEqual(live.thoughts);
  });
});

describe("a run of many steps", () => {
  const run = (count: number, last: RunStep["state"] = "done"): RunEvent<RunStep>[] =>
    Array.from({ length: count }, (_, index) => ({
      key: `s${index + 1}`,
      thought: null,
      step: step(index + 1, 0, index + 1 === count ? last : "done"),
    }));
  const fold = (events: RunEvent<RunStep>[], isLive: boolean): [number, number] => {
    const { folded, shown } = foldSteps(events, isLive);
    return [folded.length, shown.length];
  };
  it("is shown line by line up to six", () => {
    expect(fold(run(6), false)).toEqual([0, 6]);
    expect(fold(run(7, "running"), true)).toEqual([0, 7]);
  });
  it("is folded once it has ended", () => {
    expect(fold(run(7), false)).toEqual([7, 0]);
    expect(fold(run(40), false)).toEqual([40, 0]);
  });
  it("shows its latest steps while it runs, and those that wait", () => {
    expect(fold(run(40), true)).toEqual([38, 2]);
    expect(fold(run(40, "waiting"), true)).toEqual([37, 3]);
    expect(fold(run(40, "waiting"), false)).toEqual([39, 1]);
  });
});
