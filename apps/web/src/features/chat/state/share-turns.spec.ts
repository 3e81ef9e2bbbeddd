import type { TurnWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { shareTurns, type TurnPages } from "./share-turns.ts";

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
