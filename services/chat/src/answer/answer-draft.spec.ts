import { AnswerText } from "./answer-draft.ts";

describe("the text of an answer", () => {
  it("puts reasoning inline", () => {
    const text = new AnswerText(() => 1);
    const shown =
      text.pushReasoning("Let me ") +
      text.pushReasoning("see.") +
      text.pushText("It is 4 [1].") +
      text.pushText(" Sure [2].") +
      text.end();
    expect(shown).toBe("<think>Let me see.</think>It is 4 [1]. Sure.");
    expect(text.toString()).toBe(shown);
    expect(text.length).toBe(shown.length);
  });
  it("records where reasoning is and how long it took", () => {
    let now = 0;
    const text = new AnswerText(
      () => 0,
      () => now,
    );
    text.pushReasoning("Hm ");
    expect(text.takeChanges()).toEqual([{ start: 0, end: null, milliseconds: 0 }]);
    now = 400;
    text.pushReasoning("hm ");
    expect(text.takeChanges()).toEqual([]);
    now = 1_500;
    text.pushReasoning("so.");
    expect(text.takeChanges()).toEqual([{ start: 0, end: null, milliseconds: 1_500 }]);
    now = 3_000;
    expect(text.pushText("Four.")).toBe("</think>Four.");
    expect(text.takeChanges()).toEqual([{ start: 0, end: 24, milliseconds: 3_000 }]);
    expect(text.pushReasoning("More")).toBe("<think>More");
    now = 4_000;
    expect(text.listReasoning()).toEqual([
      { start: 0, end: 24, milliseconds: 3_000 },
      { start: 29, end: 40, milliseconds: 1_000 },
    ]);
  });
  it("stores text that was reasoning with the tag that it lacks", () => {
    const text = new AnswerText(
      () => 0,
      () => 0,
    );
    expect(text.pushText("Hm.") + text.textWasReasoning()).toBe("Hm.</think>");
    expect(text.takeChanges()).toEqual([{ start: 0, end: 11, milliseconds: 0 }]);
    text.pushText("Four.");
    expect(text.toString()).toBe("<think>Hm.</think>Four.");
    expect(text.listReasoning()).toEqual([{ start: 0, end: 18, milliseconds: 0 }]);
  });
  it("closes reasoning that was cut off", () => {
    const text = new AnswerText(() => 0);
    expect(text.pushReasoning("Hm ") + text.end()).toBe("<think>Hm </think>");
  });
});
