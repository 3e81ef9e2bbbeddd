import { describe, expect, it } from "@jest/globals";
import { vendors } from "../vendors/index.ts";
import { findPrice, isFreeProvider } from "./find-price.ts";

describe("prices", () => {
  it("come from the catalogue, for dated names too", () => {
    const price = { input: 2, cachedInput: 0.5, output: 8 };
    expect(findPrice("openai", "gpt-4.1")).toEqual(price);
    expect(findPrice("openai", "gpt-4.1-2025-04-14")).toEqual(price);
  });

  it("charge the full price for cached tokens where the catalogue has no other", () => {
    expect(findPrice("openai", "gpt-4")).toEqual({ input: 30, cachedInput: 30, output: 60 });
  });

  it("are zero for models that run here, and unknown for others without a price", () => {
    expect(findPrice("ollama", "gpt-4.1")).toMatchObject({ input: 0, cachedInput: 0, output: 0 });
    for (const [provider, model] of [
      ["extractive", "extractive"],
      ["kokoro", "kokoro"],
      ["local", "whisper"],
      ["native", "reranker"],
    ] as const)
      expect(findPrice(provider, model)).toMatchObject({
        input: 0,
        characters: 0,
        audioMinutes: 0,
      });
    for (const [provider, model] of [
      ["openai", "a-model-from-tomorrow"],
      ["openai", "gpt-4-32k"],
      ["generic-openai", "gpt-4.1"],
      ["unknown", "gpt-4.1"],
    ] as const)
      expect(findPrice(provider, model)).toBeNull();
    expect(isFreeProvider("unknown")).toBe(false);
  });

  it("are by token for embedders, by character for speech, by minute for transcription", () => {
    expect(findPrice("openai", "text-embedding-3-small")).toEqual({ input: 0.02 });
    expect(findPrice("voyageai", "voyage-3-lite")).toEqual({ input: 0.02 });
    expect(findPrice("gemini", "models/gemini-embedding-001")).toEqual({ input: 0.15 });
    expect(findPrice("openai", "tts-1")).toEqual({ characters: 15 });
    expect(findPrice("openai", "whisper-1")).toEqual({ audioMinutes: 0.006 });
    expect(findPrice("elevenlabs", "eleven_multilingual_v2")).toBeNull();
  });

  it("are known for every embedder that is a vendor's default", () => {
    for (const vendor of ["openai", "voyageai", "cohere", "gemini", "mistral"]) {
      const { fields } = vendors.find(({ id }) => id === vendor)!.embedding!;
      const model = fields.find(({ kind }) => kind === "model")!.default as string;
      expect(findPrice(vendor, model)?.input).toBeGreaterThan(0);
    }
  });

  it("are unknown where a local server passes requests on", () => {
    const local = vendors.filter(({ group }) => group === "local");
    expect(local.filter(({ id }) => !isFreeProvider(id)).map(({ id }) => id)).toEqual(
      expect.arrayContaining(["generic-openai", "litellm", "privatemode"]),
    );
    for (const { id } of local) expect(findPrice(id, "x") === null).toBe(!isFreeProvider(id));
    for (const id of ["ollama", "lmstudio", "localai"]) expect(isFreeProvider(id)).toBe(true);
  });
});
