import { afterAll, afterEach, expect } from "@jest/globals";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import {
  createLanguageModel,
  ProviderError,
  type LanguageModel,
  type LanguageModelCall,
  type StreamPart,
} from "@carrel/providers";

/** The only key the fake accepts. */
export const key = "sk-ant-very-secret-0123456789";
/** Generous, because the fake is in this process and slow when the machine is. */
const longLimits = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000 };
/** For answers that must time out. */
export const shortFirstByte = { ...longLimits, firstByteMs: 1_500 };
export const shortIdle = { ...longLimits, idleMs: 1_500 };

/** All vendors on one server, for a test file; resets behaviour and requests after each test. */
export async function startVendors(): Promise<FakeLlm> {
  const fake = await startFakeLlm({ apiKey: key });
  afterEach(() => {
    fake.behave({});
    fake.requests.length = 0;
  });
  afterAll(() => fake.stop());
  return fake;
}

export interface LanguageModelCase {
  id: string;
  path: string;
  make(url: string, apiKey?: string, limits?: typeof longLimits): LanguageModel;
}

/** Every adapter once: the same tests apply to all. */
export const cases: LanguageModelCase[] = [
  {
    id: "openai",
    path: "/v1/responses",
    make: (url, apiKey = key, limits = longLimits) =>
      createLanguageModel(
        "openai",
        { OpenAiKey: apiKey, OpenAiModelPref: "gpt-4o" },
        { baseUrl: `${url}/v1`, limits },
      ),
  },
  {
    id: "generic-openai",
    path: "/v1/chat/completions",
    make: (url, apiKey = key, limits = longLimits) =>
      createLanguageModel(
        "generic-openai",
        {
          GenericOpenAiBasePath: `${url}/v1`,
          GenericOpenAiKey: apiKey,
          GenericOpenAiModelPref: "local",
        },
        { limits },
      ),
  },
  {
    id: "anthropic",
    path: "/v1/messages",
    make: (url, apiKey = key, limits = longLimits) =>
      createLanguageModel("anthropic", { AnthropicApiKey: apiKey }, { baseUrl: url, limits }),
  },
  {
    id: "ollama",
    path: "/api/chat",
    make: (url, apiKey = key, limits = longLimits) =>
      createLanguageModel(
        "ollama",
        { OllamaLLMBasePath: url, OllamaLLMModelPref: "llama3", OllamaLLMAuthToken: apiKey },
        { limits },
      ),
  },
];

export const ask = {
  system: "Be brief.",
  messages: [{ role: "user" as const, content: "one two three" }],
  temperature: 0.3,
};

interface Collected {
  parts: StreamPart[];
  text: string;
  error: unknown;
}

/** Reads a stream to its end or its error. */
async function collect(parts: AsyncIterable<StreamPart>): Promise<Collected> {
  const got: StreamPart[] = [];
  let error: unknown = null;
  try {
    for await (const part of parts) got.push(part);
  } catch (fault) {
    error = fault;
  }
  return {
    parts: got,
    error,
    text: got.map((part) => (part.type === "text-delta" ? part.text : "")).join(""),
  };
}

export const run = (
  model: LanguageModel,
  call: Partial<LanguageModelCall> = {},
): Promise<Collected> =>
  collect(model.stream({ ...ask, signal: new AbortController().signal, ...call }));

/** The error of a call that must fail. */
export async function errorOf(model: LanguageModel): Promise<ProviderError> {
  const { error } = await run(model);
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}
