import { chooseProvider } from "./language-models.ts";

describe("provider selection", () => {
  it.each([
    [{ chatProvider: null, chatModel: null }, {}, { provider: "extractive", model: null }],
    [
      { chatProvider: null, chatModel: null },
      { LLMProvider: "openai" },
      { provider: "openai", model: null },
    ],
    [
      { chatProvider: "ollama", chatModel: "llama3" },
      { LLMProvider: "openai" },
      { provider: "ollama", model: "llama3" },
    ],
    [
      { chatProvider: null, chatModel: null },
      { LLMProvider: "" },
      { provider: "extractive", model: null },
    ],
  ])("%j with %j", (workspace, values: Record<string, string>, chosen) => {
    expect(chooseProvider(workspace, values)).toEqual(chosen);
  });
});
