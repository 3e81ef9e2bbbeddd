// Reasoning that vendors sign or encrypt must go back exactly as it came, or they reject it.
import {
  createLanguageModel,
  type LanguageModel,
  type ModelMessage,
  type ProviderMetadata,
  type StreamPart,
} from "@carrel/providers";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { key, run } from "./language-model-cases.ts";

let fake: FakeLlm;
beforeAll(async () => {
  fake = await startFakeLlm({ reasoning: ["Let me ", "think."], toolCalls: [lookUp] });
});
afterAll(() => fake.stop());

const lookUp = { name: "look_up", input: { word: "carrel" } };
const tools = [
  { name: "look_up", description: "Looks a word up", inputSchema: { type: "object" } },
];
const metadataOf = (parts: StreamPart[]): ProviderMetadata | undefined =>
  parts.find((part) => part.type === "reasoning-end")?.metadata;
const answered = (metadata?: ProviderMetadata): ModelMessage[] => [
  { role: "user", content: "What is a carrel?" },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Let me think.", ...(metadata && { metadata }) },
      { type: "tool-call", id: "call_1", ...lookUp },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", id: "call_1", name: "look_up", output: "A desk" }],
  },
];
async function sentBack(model: LanguageModel, metadata?: ProviderMetadata): Promise<string> {
  expect((await run(model, { tools, messages: answered(metadata) })).error).toBeNull();
  return JSON.stringify(fake.requests.at(-1)!.body);
}

const anthropic = () =>
  createLanguageModel("anthropic", { AnthropicApiKey: key }, { baseUrl: fake.url });
const openAi = (model: string) =>
  createLanguageModel("openai", { OpenAiKey: key }, { baseUrl: `${fake.url}/v1`, model });

it("returns Anthropic's thinking with its signature", async () => {
  const { parts } = await run(anthropic(), { tools });
  const metadata = metadataOf(parts);
  expect(metadata).toEqual({ anthropic: { signature: "ZmFrZQ==" } });
  expect(await sentBack(anthropic(), metadata)).toContain(
    JSON.stringify({ type: "thinking", thinking: "Let me think.", signature: "ZmFrZQ==" }),
  );
});

it("returns Anthropic's redacted thinking", async () => {
  expect(await sentBack(anthropic(), { anthropic: { redacted: "c2VjcmV0" } })).toContain(
    JSON.stringify({ type: "redacted_thinking", data: "c2VjcmV0" }),
  );
});

it("requests OpenAI's encrypted reasoning with tools and returns it", async () => {
  const { parts } = await run(openAi("o3"), { tools });
  expect(fake.requests.at(-1)!.body.include).toEqual(["reasoning.encrypted_content"]);
  const metadata = metadataOf(parts);
  expect(metadata).toEqual({ openai: { id: "rs_fake", encryptedContent: "Z0FBQUFBQm8=" } });
  expect(await sentBack(openAi("o3"), metadata)).toContain(
    JSON.stringify({
      type: "reasoning",
      id: "rs_fake",
      encrypted_content: "Z0FBQUFBQm8=",
      summary: [{ type: "summary_text", text: "Let me think." }],
    }),
  );
});

it("doesn't request encrypted reasoning from models that don't reason", async () => {
  const { parts } = await run(openAi("gpt-4o"), { tools });
  expect(fake.requests.at(-1)!.body).not.toHaveProperty("include");
  expect(metadataOf(parts)).toBeUndefined();
});

it.each([
  ["anthropic", anthropic],
  ["openai", () => openAi("o3")],
])("%s: omits another vendor's reasoning", async (_id, make) => {
  const foreign = { gemini: { thoughtSignature: "abc" } };
  expect(await sentBack(make(), foreign)).not.toMatch(/Let me think|abc/);
  expect(await sentBack(make())).not.toContain("Let me think");
});

it("returns Ollama's thinking as text", async () => {
  const model = createLanguageModel("ollama", {
    OllamaLLMBasePath: fake.url,
    OllamaLLMModelPref: "qwen3:8b",
  });
  expect(await sentBack(model)).toContain('"thinking":"Let me think."');
});
