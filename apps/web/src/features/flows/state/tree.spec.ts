import type { FlowStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { changed, redone, startHistory, undone } from "./history.ts";
import {
  allBlocks,
  depthOf,
  duplicateBlock,
  insertBlock,
  listIn,
  moveBlock,
  placeOf,
  placeTowards,
  removeBlock,
  slotsOf,
  startOf,
  updateBlock,
  withIds,
  withoutTemporaryIds,
  type Direction,
} from "./tree.ts";

const call = (id: string): FlowStep => ({
  id,
  type: "llmInstruction",
  config: { instruction: id, resultVariable: "", directOutput: false },
});
const start = (): FlowStep => ({ id: "start", type: "start", config: { variables: [] } });
const condition = (id: string, then: FlowStep[], otherwise: FlowStep[] = []): FlowStep => ({
  id,
  type: "carrel-condition",
  config: { left: "", operator: "equals", right: "", then, otherwise },
});
const loop = (id: string, steps: FlowStep[]): FlowStep => ({
  id,
  type: "carrel-loop",
  config: { list: "", itemVariable: "item", maxItems: 100, steps, resultVariable: "" },
});
/** "a if(b|c) for(d)" */
const drawn = (steps: readonly FlowStep[]): string =>
  steps
    .map((step) => {
      const slots = slotsOf(step);
      return slots.length === 0
        ? step.id
        : `${step.id}(${slots.map((slot) => drawn(listIn(step, slot))).join("|")})`;
    })
    .join(" ");
const flow = (): FlowStep[] => [
  start(),
  call("a"),
  condition("if", [call("b")], [call("c")]),
  loop("for", [call("d")]),
];
const toward = (id: string, direction: Direction, steps = flow()): string => {
  const place = placeTowards(steps, id, direction);
  return place === null ? "stays" : drawn(moveBlock(steps, id, place));
};

describe("blocks", () => {
  it("start where they are, or at the loop around them", () => {
    const steps = [...flow(), condition("if2", [loop("for2", [condition("if3", [call("e")])])])];
    const starts = ["a", "b", "c", "d", "for", "e", "if2"].map((id) => startOf(steps, id)?.id);
    expect(starts).toEqual(["a", "b", "c", "for", "for", "for2", "if2"]);
  });

  it("lists and measures blocks inside of others", () => {
    expect(allBlocks(flow()).map(({ id }) => id)).toEqual([
      "start",
      "a",
      "if",
      "b",
      "c",
      "for",
      "d",
    ]);
    expect(depthOf(flow())).toBe(2);
    expect(placeOf(flow(), "c")).toEqual({ parent: "if", slot: "otherwise", index: 0 });
  });

  it.each<[string, Direction, string]>([
    ["a", "down", "start if(b|c) a for(d)"],
    ["if", "up", "start if(b|c) a for(d)"],
    ["a", "up", "stays"],
    ["for", "down", "stays"],
    ["start", "down", "stays"],
    ["b", "down", "start a if(|b c) for(d)"],
    ["c", "up", "start a if(b c|) for(d)"],
    ["b", "up", "stays"],
    ["for", "into", "start a if(b for(d)|c)"],
    ["if", "into", "stays"],
    ["c", "out", "start a if(b|) c for(d)"],
    ["d", "out", "start a if(b|c) for() d"],
    ["a", "out", "stays"],
  ])("moves %s %s", (id, direction, moved) => {
    expect(toward(id, direction)).toBe(moved);
  });

  it("moves to a place among blocks, counted before the move", () => {
    const to = (
      id: string,
      parent: string | null,
      slot: "root" | "then" | "steps",
      index: number,
    ) => drawn(moveBlock(flow(), id, { parent, slot, index }));
    expect(to("a", null, "root", 4)).toBe("start if(b|c) for(d) a");
    expect(to("a", "for", "steps", 1)).toBe("start if(b|c) for(d a)");
    expect(to("d", "if", "then", 0)).toBe("start a if(d b|c) for()");
    expect(to("for", null, "root", 0)).toBe("start for(d) a if(b|c)");
  });

  it("doesn't move a block into itself, nor to where it is", () => {
    const steps = [start(), loop("outer", [loop("inner", [])])];
    expect(moveBlock(steps, "outer", { parent: "inner", slot: "steps", index: 0 })).toBe(steps);
    expect(moveBlock(steps, "outer", { parent: null, slot: "root", index: 2 })).toBe(steps);
  });

  it("inserts behind the start, changes, removes", () => {
    expect(drawn(insertBlock(flow(), { parent: null, slot: "root", index: 0 }, call("x")))).toBe(
      "start x a if(b|c) for(d)",
    );
    expect(drawn(removeBlock(flow(), "c"))).toBe("start a if(b|) for(d)");
    const changedFlow = updateBlock(flow(), "d", (step) => ({ ...step, title: "D" }));
    expect(allBlocks(changedFlow).at(-1)?.title).toBe("D");
  });

  it("duplicates a block and all inside with new ids", () => {
    const copy = duplicateBlock(flow(), "if")!;
    const ids = allBlocks(copy.steps).map(({ id }) => id);
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
    expect(copy.steps[3]?.id).toBe(copy.id);
  });

  it("gives ids for editing that aren't saved", () => {
    const { id: _, ...client } = call("a");
    const steps = [client as FlowStep, call("b"), loop("l", [call("b")])];
    const known = withIds(steps);
    expect(new Set(allBlocks(known).map(({ id }) => id)).size).toBe(4);
    const { id: __, ...repeated } = call("b");
    expect(withoutTemporaryIds(known)).toEqual([
      client,
      call("b"),
      loop("l", [repeated as FlowStep]),
    ]);
  });
});

describe("undo", () => {
  it("goes back and forth, until something else is changed", () => {
    const history = changed(changed(startHistory("a"), "b"), "c");
    expect(undone(undone(history)).present).toBe("a");
    expect(redone(undone(history)).present).toBe("c");
    expect(redone(changed(undone(history), "d")).present).toBe("d");
    expect(undone(startHistory("a")).present).toBe("a");
  });
  it("undoes what is typed in one go as one change", () => {
    const typed = changed(changed(startHistory("a"), "ab", "name", 0), "abc", "name", 1_000);
    expect(undone(typed).present).toBe("a");
    expect(undone(changed(typed, "abcd", "name", 9_000)).present).toBe("abc");
    expect(undone(changed(typed, "x", "description", 1_001)).present).toBe("abc");
  });
});
