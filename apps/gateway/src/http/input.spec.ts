import {
  CarrelError,
  createVariable,
  setSuggestedMessages,
  startGeneration,
  streamChat,
  updateChat,
  updateWorkspace,
  type Operation,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { readInput } from "./input.ts";

const refusal = (operation: Operation, body: unknown, params: object = { slug: "w" }): string => {
  try {
    readInput(operation, { query: {}, body, params });
  } catch (error) {
    if (error instanceof CarrelError && error.kind === "BAD_INPUT") return error.message;
    throw error;
  }
  throw new Error("it was taken");
};

describe("a refused request explains in plain words", () => {
  it.each(
    (
      [
        [
          updateWorkspace,
          { openAiPrompt: "x".repeat(100_001) },
          "The system prompt is too long: at most 100,000 characters.",
        ],
        [
          updateWorkspace,
          { queryRefusalResponse: "x".repeat(10_001) },
          "The refusal response is too long: at most 10,000 characters.",
        ],
        [updateWorkspace, { openAiPrompt: { a: 1 } }, "The system prompt must be text."],
        [updateWorkspace, { topN: {} }, "The field topN must be a number or text."],
        [
          updateChat,
          { chatId: 1, newText: "x".repeat(1_000_001) },
          "The new text is too long: at most 1,000,000 characters.",
        ],
        [updateChat, { newText: "x" }, "The field chatId must be a number."],
        [
          updateChat,
          { chatId: 0 },
          "The field chatId must be greater than 0. The new text is missing.",
        ],
        [
          streamChat,
          { message: "x", attachments: [{ name: "a", mime: "b" }], mode: "loud" },
          "The field attachments[0].contentString is missing. The field mode must be one of chat, query, automatic.",
        ],
        [
          streamChat,
          {
            message: "x",
            attachments: Array.from({ length: 21 }, () => ({
              name: "a",
              mime: "b",
              contentString: "",
            })),
          },
          "The list of attachments has too many entries: at most 20.",
        ],
        [
          createVariable,
          { key: "k", value: "x".repeat(20_001) },
          "The value is too long: at most 20,000 characters.",
        ],
        [
          setSuggestedMessages,
          { messages: "x" },
          "Invalid message format. Expected an array of messages.",
        ],
        [
          setSuggestedMessages,
          { messages: Array.from({ length: 31 }, () => ({})) },
          "At most 30 messages can be suggested.",
        ],
        [startGeneration, {}, "The field threadSlug is missing. The message is missing."],
      ] as [Operation, unknown, string][]
    ).map(([operation, body, words]) => ({ operation, body, words })),
  )("$words", ({ operation, body, words }) => expect(refusal(operation, body)).toBe(words));
});
