import type { GenerationFrame, TurnWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { applyFrame, newGeneration } from "./generation.ts";
import { mergeTurns } from "./turn-view.ts";

const turn = (id: number, rest: Partial<TurnWire> = {}): TurnWire => ({
  id,
  question: `q${id}`,
  answer: "saved",
  sources: [],
  sentAt: 0,
  state: "done",
  error: null,
  generationId: null,
  mode: "chat",
  metrics: null,
  refused: false,
  ...rest,
});

describe("conversation", () => {
  it("shows a new question at the end until the server has it", () => {
    const views = mergeTurns([turn(1)], newGeneration("new", "chat"));
    expect(views.map((view) => [view.key, view.phase])).toEqual([
      ["turn-1", "done"],
      ["asking", "sending"],
    ]);
  });
  it("shows the stream in place of its turn while it runs", () => {
    const views = mergeTurns(
      [turn(1), turn(2, { state: "running", answer: "sav" })],
      newGeneration("q2", "chat", { chatId: 2, text: "saved and more", phase: "writing" }),
    );
    expect(views).toHaveLength(2);
    expect(views[1]).toMatchObject({ key: "turn-2", answer: "saved and more", phase: "writing" });
  });
  it("uses the record once both are settled, with the stage that only the stream has", () => {
    const [view] = mergeTurns(
      [turn(2)],
      newGeneration("q2", "chat", {
        chatId: 2,
        text: "old",
        phase: "done",
        documents: 24,
        passages: 4,
        milliseconds: 900,
      }),
    );
    expect(view).toMatchObject({
      answer: "saved",
      stage: { documents: 24, passages: 4, milliseconds: 900 },
    });
  });
  it("distinguishes failed, stopped and refused answers", () => {
    expect(
      mergeTurns(
        [
          turn(1, { state: "failed", error: "x" }),
          turn(2, { state: "cancelled" }),
          turn(3, { refused: true }),
        ],
        null,
      ).map((view) => view.phase),
    ).toEqual(["failed", "stopped", "refused"]);
  });
  it("hides what a new version replaces until the server has parked it", () => {
    const asked = newGeneration("q2 better", "chat", { replaces: 2 });
    expect(mergeTurns([turn(1), turn(2), turn(3)], asked).map((view) => view.question)).toEqual([
      "q1",
      "q2 better",
    ]);
    expect(
      mergeTurns(
        [turn(1), turn(4, { question: "q2 better", state: "running", siblings: [2, 4] })],
        { ...asked, chatId: 4 },
      ).map((view) => [view.question, view.siblings]),
    ).toEqual([
      ["q1", []],
      ["q2 better", [2, 4]],
    ]);
  });
  it("numbers queued questions, but not the one being answered", () => {
    const turns = [
      turn(1, { state: "running" }),
      turn(2, { state: "queued" }),
      turn(3, { state: "queued" }),
    ];
    expect(
      mergeTurns(turns, newGeneration("q1", "chat", { chatId: 1, phase: "writing" })).map(
        (view) => view.place,
      ),
    ).toEqual([null, 1, 2]);
    expect(mergeTurns(turns.slice(1), null).map((view) => view.place)).toEqual([null, 1]);
  });
  it("keeps the sources and notices of an answer stopped here", () => {
    const stopped = newGeneration("q1", "chat", { chatId: 1, phase: "stopped", notices: ["told"] });
    const source = { id: "x" } as TurnWire["sources"][number];
    expect(
      mergeTurns([turn(1, { state: "cancelled", sources: [source] })], stopped)[0],
    ).toMatchObject({ sources: [source], notices: ["told"], phase: "stopped" });
  });
  it("keeps showing notices after the answer, without duplicating them during it", () => {
    const notices = [{ code: "told" }];
    const told: GenerationFrame = { type: "generationNotice", notice: { code: "told" } };
    expect(mergeTurns([turn(1, { notices })], null)[0]).toMatchObject({ notices });
    expect(
      mergeTurns(
        [turn(1, { notices })],
        newGeneration("q1", "chat", { chatId: 1, phase: "done" }),
      )[0],
    ).toMatchObject({ notices });
    expect(applyFrame(applyFrame(newGeneration("q1", "chat"), told), told).notices).toEqual(
      notices,
    );
  });
  it("keeps only the answer to a reset", () => {
    expect(
      mergeTurns(
        [turn(1)],
        newGeneration("/reset", "chat", {
          reset: true,
          notices: [{ code: "told" }],
          phase: "done",
        }),
      ).map((view) => [view.question, view.notices]),
    ).toEqual([["", [{ code: "told" }]]]);
  });
});
