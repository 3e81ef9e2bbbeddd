import type { GenerationFrame, RunStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { applyFrame, newGeneration, type Generation } from "./generation.ts";

const stepFrame = (id: number, at: number, state: RunStep["state"]): GenerationFrame => ({
  type: "generationStep",
  step: { id, at, state } as RunStep,
});
const chunk = (textResponse: string): GenerationFrame => ({
  type: "textResponseChunk",
  uuid: "u",
  textResponse,
  sources: [],
  close: false,
  error: false,
});
const apply = (...frames: GenerationFrame[]): Generation =>
  frames.reduce(applyFrame, newGeneration("q", "automatic"));
const statesOf = ({ steps }: Generation): string[] =>
  steps.map(({ id, state }) => `${id} ${state}`);

describe("frames of steps", () => {
  it("replace a step in its place", () => {
    const generation = apply(
      stepFrame(1, 0, "running"),
      stepFrame(2, 0, "running"),
      stepFrame(1, 0, "done"),
    );
    expect(statesOf(generation)).toEqual(["1 done", "2 running"]);
  });
  it("can be replayed in any order", () => {
    const generation = apply(
      stepFrame(2, 4, "running"),
      stepFrame(1, 0, "done"),
      stepFrame(2, 4, "done"),
    );
    expect(statesOf(generation)).toEqual(["1 done", "2 done"]);
  });
  it("keep other steps identical, so that they don't render again", () => {
    const before = apply(stepFrame(1, 0, "done"), stepFrame(2, 0, "running"));
    const after = applyFrame(before, stepFrame(2, 0, "done"));
    expect(after.steps[0]).toBe(before.steps[0]);
  });
});

describe("a rewind", () => {
  it("withdraws text, thoughts and steps after its place, and keeps a step that is there", () => {
    const generation = apply(
      chunk("Look."),
      stepFrame(1, 5, "done"),
      { type: "generationReasoning", start: 5, end: 8, milliseconds: 3 },
      chunk("hm. It is"),
      stepFrame(2, 14, "running"),
      { type: "generationRewind", to: 5 },
    );
    expect(generation).toMatchObject({ text: "Look.", reasoning: [] });
    expect(statesOf(generation)).toEqual(["1 done"]);
    expect(applyFrame(generation, chunk(" It is 48.")).text).toBe("Look. It is 48.");
  });
  it("cuts a thought that it is in", () => {
    const { reasoning } = apply(
      { type: "generationReasoning", start: 0, end: 8, milliseconds: 3 },
      chunk("a thought"),
      { type: "generationRewind", to: 4 },
    );
    expect(reasoning).toMatchObject([{ start: 0, end: 4 }]);
  });
});
