import { describe, expect, it } from "@jest/globals";
import { readConversation, type ClientMessage } from "./read-messages.ts";

const says = (role: ClientMessage["role"], text: string): ClientMessage => ({ role, text });

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
      exchange: [],
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
        { question: "A\n\nB", answer: "C\n\n[Result: D]" },
      ],
    });
  });

  it("keeps what tools did for the question", () => {
    const call = { id: "1", name: "look_up", input: "{}" };
    const other = { ...call, id: "2" };
    const { question, history, exchange } = readConversation([
      says("user", "A"),
      { role: "assistant", text: "", calls: [call] },
      { role: "tool", text: "B", callId: "1" },
      says("assistant", "C"),
      says("user", "D"),
      { role: "assistant", text: "Wait.", calls: [call] },
      { role: "assistant", text: "", calls: [other] },
      { role: "tool", text: "E", callId: "1" },
      { role: "tool", text: "F", callId: "2" },
    ]);
    expect(question).toBe("D");
    expect(history).toEqual([
      { question: "A", answer: "[Called look_up with {}]\n\n[Result: B]\n\nC" },
    ]);
    expect(exchange).toEqual([
      { role: "assistant", text: "Wait.", calls: [call, other] },
      { role: "tool", id: "1", name: "look_up", output: "E" },
      { role: "tool", id: "2", name: "look_up", output: "F" },
    ]);
  });

  it("refuses results without a call", () => {
    expect(() =>
      readConversation([says("user", "A"), { role: "tool", text: "B", callId: "1" }]),
    ).toThrow("The result for the tool call 1 follows no such call.");
  });

  it.each([
    ["an answer at the end", [says("user", "A"), says("assistant", "B")]],
    ["no messages", []],
  ])("refuses %s", (_case, messages) => {
    expect(() => readConversation(messages)).toThrow("No question found");
  });
});
