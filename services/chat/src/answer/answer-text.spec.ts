import { AnswerText } from "./answer-text.ts";

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
  it("closes reasoning that was cut off", () => {
    const text = new AnswerText(() => 0);
    expect(text.pushReasoning("Hm ") + text.end()).toBe("<think>Hm </think>");
  });
});
