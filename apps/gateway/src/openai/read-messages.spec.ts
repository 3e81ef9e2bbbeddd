import { describe, expect, it } from "@jest/globals";
import { readConversation, type ClientMessage } from "./read-messages.ts";

const says = (role: ClientMessage["role"], text: string): ClientMessage => ({
  role,
  text,
  images: [],
});

describe("readConversation", () => {
  it("separates instructions, history and question", () => {
    expect(
      readConversation([
        says("system", "Be brief."),
        says("user", "One?"),
        says("assistant", "1"),
        says("system", "In English."),
        says("user", "Two?"),
      ]),
    ).toEqual({
      question: "Two?",
      images: [],
      systemPrompt: "Be brief.\n\nIn English.",
      history: [{ question: "One?", answer: "1" }],
    });
  });

  it("leaves the workspace's prompt alone without instructions", () => {
    expect(readConversation([says("system", " "), says("user", "Hi")]).systemPrompt).toBeNull();
  });

  it("joins what has no answer to the next question, and results to their answer", () => {
    expect(
      readConversation([
        says("assistant", "Hello."),
        says("user", "A"),
        says("user", "B"),
        says("assistant", "C"),
        says("tool", "D"),
        says("assistant", ""),
        says("user", "E"),
        says("user", "F"),
      ]),
    ).toMatchObject({
      question: "E\n\nF",
      history: [
        { question: "(You start the conversation.)", answer: "Hello." },
        { question: "A\n\nB", answer: "C\n\nD" },
      ],
    });
  });

  it.each([
    ["an answer at the end", [says("user", "A"), says("assistant", "B")]],
    ["a blank question", [says("user", " \n")]],
    ["no messages", []],
  ])("refuses %s", (_case, messages) => {
    expect(() => readConversation(messages)).toThrow("No question found");
  });
});
