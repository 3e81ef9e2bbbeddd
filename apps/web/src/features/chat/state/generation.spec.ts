import type { SourceWire, TurnWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { applyFrame, newGeneration, shareTurns, type TurnPages } from "./generation.ts";

describe("frames", () => {
  it("show the stage as text", () => {
    const searching = applyFrame(newGeneration("q", "chat"), {
      type: "generationStage",
      stage: "searching",
      documents: 24,
    });
    const reading = applyFrame(searching, {
      type: "generationStage",
      stage: "reading",
      passages: 4,
      milliseconds: 1100,
    });
    expect(reading).toMatchObject({
      phase: "reading",
      documents: 24,
      passages: 4,
      milliseconds: 1100,
    });
  });
  it("number an answer that waits for a model, until it is written", () => {
    const queued = applyFrame(newGeneration("q", "chat"), {
      type: "generationStage",
      stage: "queued",
      ahead: 2,
    });
    expect(queued).toMatchObject({ phase: "queued", ahead: 2 });
    expect(
      applyFrame(queued, { type: "generationStage", stage: "reading", ahead: 0 }),
    ).toMatchObject({ phase: "reading", ahead: 0 });
  });
  it("recognize a refusal in query mode", () => {
    expect(
      applyFrame(newGeneration("q", "query"), {
        type: "textResponse",
        id: "x",
        textResponse: "There is no relevant information",
        sources: [],
        close: true,
        error: null,
      }).phase,
    ).toBe("refused");
  });
  it("animate a complete answer unless it closes", () => {
    const frame = {
      type: "textResponse" as const,
      uuid: "x",
      textResponse: "All of it.",
      sources: [],
      error: false as const,
    };
    expect(applyFrame(newGeneration("q", "chat"), { ...frame, close: false })).toMatchObject({
      phase: "done",
      text: "All of it.",
      animate: true,
    });
    expect(applyFrame(newGeneration("q", "chat"), { ...frame, close: true })).toMatchObject({
      phase: "done",
      text: "All of it.",
      animate: false,
    });
  });
  it("keep the sources of an aborted answer, which arrive before the abort", () => {
    const source = { id: "s", title: "a.txt" } as unknown as SourceWire;
    const written = applyFrame(newGeneration("q", "chat"), {
      type: "textResponseChunk",
      uuid: "u",
      textResponse: "Half",
      sources: [],
      close: false,
      error: false,
    });
    const closed = applyFrame(written, {
      type: "textResponseChunk",
      uuid: "u",
      textResponse: "",
      sources: [source],
      close: true,
      error: false,
    });
    expect(
      applyFrame(closed, {
        type: "abort",
        uuid: "u",
        textResponse: null,
        sources: [],
        close: true,
        error: "Cut.",
      }),
    ).toMatchObject({ phase: "failed", text: "Half", sources: [source], error: "Cut." });
  });
  it("fail with the code that comes before the English", () => {
    const fault = { code: "generation.empty", params: { provider: "OpenAI" } };
    const told = applyFrame(newGeneration("q", "chat"), { type: "generationFault", fault });
    expect(told.phase).toBe("sending");
    expect(
      applyFrame(told, {
        type: "abort",
        id: "u",
        textResponse: null,
        sources: [],
        close: true,
        error: "OpenAI returned an empty answer.",
      }),
    ).toMatchObject({ phase: "failed", error: fault });
  });
  it("clear the conversation after /reset", () => {
    expect(
      applyFrame(newGeneration("/reset", "query"), {
        type: "textResponse",
        uuid: "x",
        textResponse: "Chat memory was reset!",
        sources: [],
        close: true,
        error: false,
        action: "reset_chat",
      }),
    ).toMatchObject({
      phase: "done",
      reset: true,
      text: "",
      notices: [{ code: "notice.conversation-reset" }],
    });
  });
});

const turn = (id: number, answer = "a"): TurnWire => ({
  id,
  question: "q",
  answer,
  sources: [],
  sentAt: 1,
  state: "done",
  error: null,
  generationId: null,
  mode: "chat",
  metrics: null,
  refused: false,
});
const pages = (...turns: TurnWire[][]): TurnPages => ({
  pages: turns.map((each) => ({ turns: each, hasMore: false })),
  pageParams: turns.map(() => 0),
});

describe("keepTurns", () => {
  it("keeps equal turns identical even when they move, and takes changed ones", () => {
    const before = pages([turn(3), turn(4)], [turn(1), turn(2)]);
    const after = shareTurns(
      before,
      pages([turn(4), turn(5)], [turn(1), turn(2, "b"), turn(3)]),
    ) as TurnPages;
    const [newest, earlier] = after.pages.map((page) => page.turns);
    expect([
      newest![0] === before.pages[0]!.turns[1],
      newest![1]!.id,
      earlier![0] === before.pages[1]!.turns[0],
      earlier![1]!.answer,
      earlier![2] === before.pages[0]!.turns[0],
    ]).toEqual([true, 5, true, "b", true]);
  });
  it("leaves other data alone", () => {
    const other = { turns: [] };
    expect([shareTurns(undefined, other), shareTurns(other, other)]).toEqual([other, other]);
  });
});
