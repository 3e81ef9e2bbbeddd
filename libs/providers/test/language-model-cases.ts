import {
  createLanguageModel,
  ProviderError,
  vendors,
  type LanguageModel,
  type LanguageModelCall,
  type Settings,
  type StreamPart,
} from "@carrel/providers";
import { startFakeLlm, type FakeBehaviour, type FakeLlm } from "@carrel/testing";
import { afterAll, afterEach, expect } from "@jest/globals";
import type { Vendor } from "../src/vendors/vendor.ts";
import { languageSettings } from "./vendor-settings.ts";

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

type Protocol = "responses" | "chat" | "messages" | "ollama" | "gemini" | "cohere" | "bedrock";

/** How a vendor's requests differ from the others' of its protocol (see the vendors' files). */
export interface Differences {
  /** Rejects `stream_options`. */
  countsUnasked?: boolean;
  requiredChoice?: string;
  maxTokensName?: string;
  /** Has no setting for parallel calls. */
  callsInParallelOnly?: boolean;
  /** Its reasoning is sent back. */
  returnsReasoning?: boolean;
  takesNoSchema?: boolean;
  callIds?: Record<string, string>;
}

export interface LanguageModelCase extends Differences {
  id: string;
  protocol: Protocol;
  vendor: Vendor;
  path: string;
  /** Whether its form has a key. */
  hasKey: boolean;
  /** How the fake must behave to resemble this vendor. */
  usual: FakeBehaviour;
  configure(url: string, apiKey?: string): { settings: Settings; baseUrl: string };
  make(url: string, apiKey?: string, limits?: typeof longLimits): LanguageModel;
}

const protocols: Partial<Record<string, { protocol: Protocol; path: string; base: string }>> = {
  openai: { protocol: "responses", path: "/v1/responses", base: "/v1" },
  anthropic: { protocol: "messages", path: "/v1/messages", base: "" },
  ollama: { protocol: "ollama", path: "/api/chat", base: "" },
  gemini: {
    protocol: "gemini",
    path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
    base: "",
  },
  cohere: { protocol: "cohere", path: "/v2/chat", base: "" },
  bedrock: { protocol: "bedrock", path: "/model/local/converse-stream", base: "" },
};
const chat = { protocol: "chat", path: "/v1/chat/completions", base: "/v1" } as const;
/** Where chat completions aren't below /v1. */
const chatPaths: Partial<Record<string, string>> = {
  azure: "/openai/v1/chat/completions",
  dpais: "/v1/openai/chat/completions",
  "docker-model-runner": "/engines/v1/chat/completions",
  lemonade: "/api/v1/chat/completions",
};
/** Settings of models about which the tests expect something. */
const models: Partial<Record<string, Record<string, string>>> = {
  openai: { OpenAiModelPref: "gpt-4o" },
  gemini: { GeminiLLMModelPref: "gemini-2.5-flash" },
  bedrock: { AwsBedrockLLMConnectionMethod: "apiKey" },
};
const differences: Partial<Record<string, Differences>> = {
  mistral: {
    countsUnasked: true,
    requiredChoice: "any",
    callIds: { call_1: "74196fe72", call_2: "1b68f83fa" },
  },
  perplexity: { countsUnasked: true },
  deepseek: { returnsReasoning: true, takesNoSchema: true },
  moonshotai: { returnsReasoning: true, takesNoSchema: true },
  zai: { returnsReasoning: true, takesNoSchema: true, callsInParallelOnly: true },
  groq: { maxTokensName: "max_completion_tokens" },
  cerebras: { maxTokensName: "max_completion_tokens" },
};

/**
 * Every vendor of language models, so that the same tests apply to all. Built-in models call none;
 * local-gguf.spec.ts tests them.
 */
export const cases: LanguageModelCase[] = vendors
  .filter(({ group, language }) => group !== "builtin" && language?.create !== undefined)
  .map((vendor): LanguageModelCase => {
    const { id } = vendor;
    const { protocol, path, base } = protocols[id] ?? chat;
    const differs = differences[id] ?? {};
    const configure = (url: string, apiKey = key) => ({
      settings: { ...languageSettings(vendor, url + base, apiKey), ...models[id] },
      baseUrl: url + base,
    });
    const hasKey = vendor.language!.fields.some(({ kind }) => kind === "secret");
    return {
      ...differs,
      id,
      protocol,
      vendor,
      path: chatPaths[id] ?? path,
      hasKey,
      usual: {
        ...(differs.countsUnasked === true && { usage: "always" }),
        ...(!hasKey && { isOpen: true }),
      },
      configure,
      make: (url, apiKey = key, limits = longLimits) => {
        const { settings, baseUrl } = configure(url, apiKey);
        return createLanguageModel(id, settings, { baseUrl, limits });
      },
    };
  });

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
