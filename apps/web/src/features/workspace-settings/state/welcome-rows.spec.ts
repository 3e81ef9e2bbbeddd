import { describe, expect, it } from "@jest/globals";
import { isSame, messagesOf, rowsOf } from "./welcome-rows.ts";

describe("welcome messages as rows", () => {
  const saved = [
    { user: "Who are you?", response: "I know the papers." },
    { user: "", response: " " },
    { user: "", response: "Ask." },
  ];
  it("are the halves that say something, in their order", () => {
    expect(rowsOf(saved)).toEqual([
      { from: "user", text: "Who are you?" },
      { from: "response", text: "I know the papers." },
      { from: "response", text: "Ask." },
    ]);
  });
  it("go back one by one, without blanks at the ends", () => {
    expect(
      messagesOf([
        { from: "user", text: " Hi " },
        { from: "response", text: "Hello\n" },
      ]),
    ).toEqual([
      { user: "Hi", response: "" },
      { user: "", response: "Hello" },
    ]);
  });
  it("are a change when another order, word or an empty one is there, and not when only entries were split", () => {
    const rows = rowsOf(saved);
    expect([
      isSame(rows, saved),
      isSame(rows.toReversed(), saved),
      isSame([...rows, { from: "user", text: "" }], saved),
      isSame([], []),
    ]).toEqual([true, false, false, true]);
  });
});
