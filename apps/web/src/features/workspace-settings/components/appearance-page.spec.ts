import { describe, expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { isSame, messagesOf, rowsOf } from "./appearance-page.tsx";

describe("welcome message rows", () => {
  const saved = [
    { user: "Who are you?", response: "I know the papers." },
    { user: "", response: " " },
    { user: "", response: "Ask." },
  ];
  it("lists the non-empty halves in order", () => {
    expect(rowsOf(saved)).toEqual([
      { from: "user", text: "Who are you?" },
      { from: "response", text: "I know the papers." },
      { from: "response", text: "Ask." },
    ]);
  });
  it("converts back to one message per row, trimmed", () => {
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
  it("sees changed order, text and empty rows as changes, but not split entries", () => {
    const rows = rowsOf(saved);
    expect([
      isSame(rows, saved),
      isSame(rows.toReversed(), saved),
      isSame([...rows, { from: "user", text: "" }], saved),
      isSame([], []),
    ]).toEqual([true, false, false, true]);
  });
});
