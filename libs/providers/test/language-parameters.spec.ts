// Which parameters of a workspace or thread reach a vendor.
import { createLanguageModel } from "@carrel/providers";
import { expect, it, jest } from "@jest/globals";
import { cases, key, run, startVendors, type LanguageModelCase } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
const wishes = { topP: 0.9, maxTokens: 500, effort: "high" as const };

const expected: Record<LanguageModelCase["protocol"], object> = {
  responses: { top_p: 0.9, max_output_tokens: 500 },
  chat: { top_p: 0.9 },
  messages: { max_tokens: 500 },
  ollama: { options: { top_p: 0.9, num_predict: 500 } },
  gemini: {
    generationConfig: {
      topP: 0.9,
      maxOutputTokens: 500,
      thinkingConfig: { thinkingBudget: 24_576 },
    },
  },
  cohere: { p: 0.9, max_tokens: 500 },
  bedrock: { inferenceConfig: { topP: 0.9, maxTokens: 500 } },
};

it.each(cases.map((each) => [each.id, each] as const))(
  "%s gets the answer's length and top-p under its own names",
  async (_id, vendor) => {
    fake.behave(vendor.usual);
    const model = vendor.make(fake.url);
    await run(model, wishes);
    const { body } = fake.requests[0]!;
    expect(body).toMatchObject(expected[vendor.protocol]);
    if (vendor.protocol === "chat")
      expect(body).toMatchObject({ [vendor.maxTokensName ?? "max_tokens"]: 500 });
    await run(model);
    expect(JSON.stringify(fake.requests[1]!.body)).not.toMatch(
      /top_?p|"p":|effort|thinkingBudget/i,
    );
  },
);

/** By provider and model: the part of the request that sets the effort; null: nothing does. */
const efforts: [provider: string, model: string, sent: object | null][] = [
  ["openai", "o3-mini", { reasoning: { effort: "high" } }],
  ["openai", "gpt-4o", null],
  ["anthropic", "claude-opus-4-6", { output_config: { effort: "high" } }],
  ["anthropic", "claude-3-7-sonnet-20250219", null],
  ["anthropic", "claude-sonnet-4-20250514", null],
  [
    "gemini",
    "gemini-2.5-flash",
    { generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } },
  ],
  ["gemini", "gemini-3-pro", { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } }],
  ["gemini", "gemini-2.0-flash", null],
  ["ollama", "gpt-oss:20b", { think: "high" }],
  ["ollama", "llama3.2", null],
  ["openrouter", "openai/o3-mini", { reasoning: { effort: "high" } }],
  ["generic-openai", "o3-mini", { reasoning_effort: "high" }],
  ["generic-openai", "an-unknown-model", null],
  ["deepseek", "deepseek-reasoner", null],
  ["mistral", "magistral-medium-latest", null],
];

it.each(efforts)(
  "%s %s: the reasoning effort is sent only where it can be set",
  async (id, name, sent) => {
    const vendor = cases.find((each) => each.id === id)!;
    fake.behave(vendor.usual);
    const { settings, baseUrl } = vendor.configure(fake.url, key);
    const model = createLanguageModel(id, settings, { baseUrl, model: name });
    expect(model.parameters.effort).toBe(sent !== null);
    await run(model, wishes);
    const { body } = fake.requests[0]!;
    if (sent === null) expect(JSON.stringify(body)).not.toMatch(/effort|"think"|thinkingBudget/);
    else expect(body).toMatchObject(sent);
  },
);

it("sends no top-p to models that reject a temperature", async () => {
  const model = createLanguageModel(
    "openai",
    { OpenAiKey: key },
    { baseUrl: `${fake.url}/v1`, model: "o3-mini" },
  );
  expect(model.parameters).toEqual({ temperature: false, topP: false, effort: true });
  await run(model, wishes);
  expect(fake.requests[0]!.body).not.toHaveProperty("top_p");
});
