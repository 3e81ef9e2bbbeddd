// What individual vendors do differently from others with the same protocol.
import { createHash, createHmac } from "node:crypto";
import { createLanguageModel, type ModelMessage, type StreamPart } from "@carrel/providers";
import { startFakeLlm, type FakeRequest } from "@carrel/testing";
import { describe, expect, it, jest } from "@jest/globals";
import { key, run, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
const sent = () => fake.requests.at(-1)!.body;
const hosted = (id: string, settings: Record<string, string>) =>
  createLanguageModel(id, settings, { baseUrl: `${fake.url}/v1` });

const called: ModelMessage[] = [
  { role: "user", content: "What is a carrel?" },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Let me look." },
      { type: "tool-call", id: "call_1", name: "look_up", input: { word: "carrel" } },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", id: "call_1", name: "look_up", output: "A desk" }],
  },
];
const tools = [
  { name: "look_up", description: "Looks a word up", inputSchema: { type: "object" } },
];

describe("reasoning", () => {
  it.each([
    ["deepseek", { DeepSeekApiKey: key }],
    ["moonshotai", { MoonshotAiApiKey: key }],
    ["zai", { ZAiApiKey: key }],
  ])("%s gets it back with the calls it led to", async (id, settings) => {
    await run(hosted(id, settings), { messages: called, tools });
    expect((sent().messages as object[])[2]).toMatchObject({ reasoning_content: "Let me look." });
  });

  it("others don't", async () => {
    await run(hosted("groq", { GroqApiKey: key }), { messages: called, tools });
    expect(JSON.stringify(sent())).not.toContain("Let me look");
  });

  it("is separated from the text of servers that don't parse it", async () => {
    fake.behave({ reply: ["<th", "ink>Hm", ".</think>", "\n\nYes", "."], isOpen: true });
    const model = createLanguageModel("textgenwebui", { TextGenWebUIBasePath: `${fake.url}/v1` });
    const { parts, text } = await run(model);
    expect(text).toBe("Yes.");
    expect(parts.map((part) => (part.type === "reasoning-delta" ? part.text : "")).join("")).toBe(
      "Hm.",
    );
    expect(sent().model).toBe("loaded");
  });

  it("groq sends it apart for the models that would mix it with the text", async () => {
    for (const [model, format] of [
      ["qwen/qwen3-32b", "parsed"],
      ["llama-3.1-8b-instant", undefined],
    ] as const) {
      await run(hosted("groq", { GroqApiKey: key, GroqModelPref: model }));
      expect(sent().reasoning_format).toBe(format);
    }
  });

  it("bedrock gets it back with its signature, and omits another vendor's", async () => {
    fake.behave({ reasoning: ["Let me look."], toolCalls: [{ name: "look_up", input: {} }] });
    const bedrock = hosted("bedrock", { AwsBedrockLLMApiKey: key, AwsBedrockLLMModel: "m" });
    const { parts } = await run(bedrock, { tools });
    const end = parts.find((part) => part.type === "reasoning-end");
    expect(end?.metadata).toEqual({ bedrock: { signature: "ZmFrZQ==" } });
    const withMetadata = structuredClone(called);
    Object.assign(withMetadata[1]!.content[0]!, { metadata: end!.metadata });
    await run(bedrock, { messages: withMetadata, tools });
    expect(JSON.stringify(sent())).toContain(
      JSON.stringify({ reasoningText: { text: "Let me look.", signature: "ZmFrZQ==" } }),
    );
    await run(bedrock, { messages: called, tools });
    expect(JSON.stringify(sent())).not.toContain("Let me look");
  });
});

describe("gemini", () => {
  const gemini = (model: string, more: Record<string, string> = {}) =>
    createLanguageModel("gemini", { GeminiLLMApiKey: key, ...more }, { baseUrl: fake.url, model });

  it("returns the signature of a call, or Google's stand-in for one of another model", async () => {
    fake.behave({ toolCalls: [{ name: "look_up", input: {} }] });
    const { parts } = await run(gemini("gemini-3-pro"), { tools });
    const call = parts.find(
      (part): part is Extract<StreamPart, { type: "tool-call-end" }> =>
        part.type === "tool-call-end",
    )!;
    expect(call.metadata).toEqual({ gemini: { thoughtSignature: "c2lnbmF0dXJl" } });
    const signed = structuredClone(called);
    Object.assign(signed[1]!.content[1]!, { metadata: call.metadata });
    const signatureOf = () => JSON.stringify(sent()).match(/"thoughtSignature":"([^"]+)"/)?.[1];
    await run(gemini("gemini-3-pro"), { messages: signed, tools });
    expect(signatureOf()).toBe("c2lnbmF0dXJl");
    await run(gemini("gemini-3-pro"), { messages: called, tools });
    expect(signatureOf()).toBe("skip_thought_signature_validator");
    await run(gemini("gemini-2.5-flash"), { messages: called, tools });
    expect(signatureOf()).toBeUndefined();
  });

  it("sets the safety filters, and asks only models that think for their thoughts", async () => {
    await run(gemini("gemini-2.5-pro", { GeminiSafetySetting: "BLOCK_NONE" }));
    expect(sent().safetySettings).toHaveLength(4);
    expect(JSON.stringify(sent().safetySettings).match(/BLOCK_NONE/g)).toHaveLength(4);
    expect(sent().generationConfig).toMatchObject({ thinkingConfig: { includeThoughts: true } });
    await run(gemini("gemini-2.0-flash-lite"));
    expect(sent().generationConfig).not.toHaveProperty("thinkingConfig");
    expect(JSON.stringify(sent().safetySettings)).toContain("BLOCK_MEDIUM_AND_ABOVE");
  });

  it("reports a question that its filter blocked, and how long a quota lasts", async () => {
    fake.behave({ status: 429, error: { message: "Quota exceeded" }, retryAfter: 60 });
    const { error } = await run(gemini("gemini-2.5-pro"));
    expect(error).toMatchObject({ kind: "rate-limit", retryAfterMs: 60_000 });
  });
});

describe("azure", () => {
  const azure = (endpoint: string, type: string) =>
    createLanguageModel("azure", {
      AzureOpenAiEndpoint: endpoint,
      AzureOpenAiKey: key,
      AzureOpenAiModelPref: "my-deployment",
      AzureOpenAiModelType: type,
    });

  it("asks the deployment, and reasoning models without a temperature", async () => {
    await run(azure(fake.url, "default"), { maxTokens: 9 });
    expect(sent()).toMatchObject({ model: "my-deployment", temperature: 0.3, max_tokens: 9 });
    await run(azure(`${fake.url}/openai/deployments/x?api-version=preview`, "reasoning"), {
      maxTokens: 9,
    });
    expect(sent()).toMatchObject({ model: "my-deployment", max_completion_tokens: 9 });
    expect(sent()).not.toHaveProperty("temperature");
    expect(fake.requests.map(({ path }) => path)).toEqual(
      Array(2).fill("/openai/v1/chat/completions"),
    );
  });
});

it("OpenAI gets no lower limit than it accepts", async () => {
  const openai = hosted("openai", { OpenAiKey: key, OpenAiModelPref: "gpt-4o" });
  await run(openai, { maxTokens: 1 });
  expect(sent()).toMatchObject({ max_output_tokens: 16 });
});

describe("a stream that its vendor doesn't close", () => {
  it("ends after the time-out once the model has finished", async () => {
    // The answer is complete, but its counts and end mark never come.
    const open = await startFakeLlm({ reply: ["Yes", "."], neverEnds: true });
    const started = performance.now();
    const { text, parts, error } = await run(
      createLanguageModel(
        "openrouter",
        { OpenRouterApiKey: key, OpenRouterTimeout: "700" },
        { baseUrl: `${open.url}/v1` },
      ),
    );
    expect(error).toBeNull();
    expect(text).toBe("Yes.");
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop", usage: null });
    expect(performance.now() - started).toBeGreaterThan(650);
    await open.stop();
  });
});

/** Signature Version 4, after AWS's documentation (IAM user guide, read in 2026). */
function signatureOf(request: FakeRequest, secret: string, region: string): string {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const mac = (with_: string | Buffer, text: string) =>
    createHmac("sha256", with_).update(text).digest();
  const time = String(request.headers["x-amz-date"]);
  const day = time.slice(0, 8);
  const names = /SignedHeaders=([^,]+)/.exec(request.headers.authorization!)![1]!;
  const canonical = [
    "POST",
    // Paths are encoded twice.
    request.path.split("/").map(encodeURIComponent).join("/"),
    "",
    ...names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    names,
    hash(JSON.stringify(request.body)),
  ].join("\n");
  const scope = `${day}/${region}/bedrock/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, hash(canonical)].join("\n");
  const signing = ["bedrock", "aws4_request"].reduce(mac, mac(mac(`AWS4${secret}`, day), region));
  return mac(signing, text).toString("hex");
}

describe("bedrock's ways to sign in", () => {
  const model = (settings: Partial<Record<string, string>>) =>
    createLanguageModel(
      "bedrock",
      {
        AwsBedrockLLMModel: "amazon.nova-lite-v1:0",
        AwsBedrockLLMRegion: "eu-north-1",
        ...(settings as Record<string, string>),
      },
      { baseUrl: fake.url },
    );
  const keys = {
    AwsBedrockLLMAccessKeyId: "AKIDFAKE",
    AwsBedrockLLMAccessKey: "secret-access-key",
  };

  it.each<[string, Record<string, string>, string | undefined]>([
    ["iam", keys, undefined],
    ["sessionToken", { ...keys, AwsBedrockLLMSessionToken: "session" }, "session"],
  ])("%s: signs each request", async (method, settings, token) => {
    fake.behave({ isOpen: true });
    const { text, error } = await run(
      model({ AwsBedrockLLMConnectionMethod: method, ...settings }),
    );
    expect(error).toBeNull();
    expect(text).not.toBe("");
    const request = fake.requests.at(-1)!;
    expect(request.path).toBe("/model/amazon.nova-lite-v1%3A0/converse-stream");
    expect(request.headers["x-amz-security-token"]).toBe(token);
    expect(request.headers.authorization).toContain("Credential=AKIDFAKE/");
    expect(request.headers.authorization).toContain(
      `Signature=${signatureOf(request, "secret-access-key", "eu-north-1")}`,
    );
  });

  it("a key alone is used, as clients that know no other way send it", async () => {
    await run(model({ AwsBedrockLLMApiKey: key }));
    expect(fake.requests.at(-1)!.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("names what is missing, and refuses a region that is no region", () => {
    for (const settings of [
      {},
      { AwsBedrockLLMConnectionMethod: "apiKey" },
      { ...keys, AwsBedrockLLMConnectionMethod: "sessionToken" },
      { ...keys, AwsBedrockLLMRegion: "evil.test/#" },
    ])
      expect(() => model(settings)).toThrow(
        expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
      );
  });
});
