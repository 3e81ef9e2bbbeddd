import { describe, expect, it } from "@jest/globals";
import { versionsOf } from "./version-switcher.tsx";

const siblings = [2, 4, 5, 9];

describe("versionsOf", () => {
  it("tells wordings of the question from answers to the present one", () => {
    const turn = { siblings, siblingQuestions: [0, 1, 1, 0] };
    expect(versionsOf({ ...turn, chatId: 4 })).toEqual({ questions: [9, 4], answers: [4, 5] });
    expect(versionsOf({ ...turn, chatId: 2 })).toEqual({ questions: [2, 5], answers: [2, 9] });
  });

  it("treats each version as its own wording where the server doesn't say", () => {
    expect(versionsOf({ siblings, siblingQuestions: [], chatId: 5 })).toEqual({
      questions: siblings,
      answers: [5],
    });
  });

  it("has none for a turn without versions or without an id", () => {
    const none = { questions: [], answers: [] };
    expect(versionsOf({ siblings: [], siblingQuestions: [], chatId: 5 })).toEqual(none);
    expect(versionsOf({ siblings, siblingQuestions: [0, 0, 0, 0], chatId: null })).toEqual(none);
  });
});
