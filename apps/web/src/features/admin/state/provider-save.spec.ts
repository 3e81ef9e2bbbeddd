import { describe, expect, it } from "@jest/globals";
import { isKeyMissing, undoOf } from "./provider-save.ts";

const secrets = new Set(["OpenAiKey", "GenericOpenAiKey"]);
const undo = (
  changes: Record<string, string>,
  before: Record<string, unknown>,
  { chosen = null, after }: { chosen?: string | null; after?: Record<string, unknown> } = {},
): ReturnType<typeof undoOf> =>
  undoOf({ kind: "language", changes, before, after: after ?? before, chosen, secrets });

describe("undo of a save", () => {
  it("restores what was saved before, and unsets what wasn't", () => {
    expect(
      undo(
        {
          OllamaLLMBasePath: "http://127.0.0.1:1",
          OllamaLLMModelTokenLimit: "1",
          OllamaLLMModelPref: "x",
          OllamaLLMKeepAliveSeconds: "5",
        },
        {
          OllamaLLMBasePath: "http://127.0.0.1:11434",
          OllamaLLMModelTokenLimit: 4096,
          OllamaLLMModelPref: "",
          Other: "kept",
        },
      ),
    ).toEqual({
      values: {
        OllamaLLMBasePath: "http://127.0.0.1:11434",
        OllamaLLMModelTokenLimit: "4096",
        OllamaLLMModelPref: null,
        OllamaLLMKeepAliveSeconds: null,
      },
      losesKey: false,
    });
  });

  it("restores the chosen provider last, not the effective one", () => {
    const changes = { OpenAiModelPref: "gpt-4.1", LLMProvider: "openai" };
    const values = (chosen: string | null) =>
      Object.entries(undo(changes, { LLMProvider: "ollama" }, { chosen })!.values);
    expect(values("ollama")).toEqual([
      ["OpenAiModelPref", null],
      ["LLMProvider", "ollama"],
    ]);
    expect(values(null)).toEqual([
      ["OpenAiModelPref", null],
      ["LLMProvider", null],
    ]);
  });

  it("deletes a key that was added", () => {
    expect(undo({ OpenAiKey: "sk-new" }, { OpenAiKey: false })).toEqual({
      values: { OpenAiKey: null },
      losesKey: false,
    });
  });

  it("never sends a replaced key, and restores the rest", () => {
    expect(undo({ OpenAiKey: "sk-new" }, { OpenAiKey: true })).toBeNull();
    expect(
      undo(
        { OpenAiKey: "sk-new", OpenAiModelPref: "b" },
        { OpenAiKey: true, OpenAiModelPref: "a" },
      ),
    ).toEqual({ values: { OpenAiModelPref: "a" }, losesKey: true });
  });

  it("tells when the server deleted a key because its address moved", () => {
    const before = { GenericOpenAiKey: true, GenericOpenAiBasePath: "http://a.example" };
    const after = { GenericOpenAiKey: false, GenericOpenAiBasePath: "http://b.example" };
    expect(undo({ GenericOpenAiBasePath: "http://b.example" }, before, { after })).toEqual({
      values: { GenericOpenAiBasePath: "http://a.example" },
      losesKey: true,
    });
    expect(isKeyMissing(secrets, before, after)).toBe(true);
    expect(isKeyMissing(secrets, after, before)).toBe(false);
    expect(isKeyMissing(secrets, { MemoryEnabled: true }, { MemoryEnabled: false })).toBe(false);
  });
});
