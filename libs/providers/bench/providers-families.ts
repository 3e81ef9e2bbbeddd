import Anthropic from "@anthropic-ai/sdk";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { createLanguageModel, type LanguageModel } from "@carrel/providers";

/** One protocol: our model, and the same call without the provider layer. */
export interface Family {
  name: string;
  raw: string;
  model: LanguageModel;
  /** Reads one whole answer; resolves to the number of events. */
  readRaw(): Promise<number>;
}

const system = "Answer in a few words.";
const question = "Which flow temperature does the heating circuit have?";
const key = "sk-ant-0123456789";
const messages = [
  { role: "system" as const, content: system },
  { role: "user" as const, content: question },
];

async function count(events: AsyncIterable<unknown>): Promise<number> {
  let number = 0;
  for await (const _event of events) number++;
  return number;
}

/** The bytes of a reply, not even split into events: the least that any client does. */
const readBytes = async (url: string, body: object): Promise<number> => {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return count(reply.body!);
};

/** All protocols, at one server that speaks them. */
export function createFamilies(url: string): Family[] {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
  const ollama = new Ollama({ host: url });
  const make = (id: string, settings: Record<string, string>, baseUrl = url) =>
    createLanguageModel(id, settings, { baseUrl });
  const gemini = "gemini-2.5-flash";
  return [
    {
      name: "OpenAI chat",
      raw: "openai SDK",
      model: make("generic-openai", {
        GenericOpenAiBasePath: `${url}/v1`,
        GenericOpenAiKey: key,
        GenericOpenAiModelPref: "small",
      }),
      readRaw: async () =>
        count(
          await openai.chat.completions.create({
            model: "small",
            stream: true,
            stream_options: { include_usage: true },
            messages,
          }),
        ),
    },
    {
      name: "OpenAI Responses",
      raw: "openai SDK",
      model: make("openai", { OpenAiKey: key, OpenAiModelPref: "gpt-4o" }, `${url}/v1`),
      readRaw: async () =>
        count(
          await openai.responses.create({
            model: "gpt-4o",
            stream: true,
            store: false,
            instructions: system,
            input: question,
          }),
        ),
    },
    {
      name: "Anthropic",
      raw: "Anthropic's SDK",
      model: make("anthropic", { AnthropicApiKey: key }),
      readRaw: async () =>
        count(
          await anthropic.messages.create({
            model: "claude-sonnet-4-6",
            stream: true,
            max_tokens: 8_192,
            system,
            messages: [{ role: "user", content: question }],
          }),
        ),
    },
    {
      name: "Ollama",
      raw: "Ollama's SDK",
      model: make("ollama", { OllamaLLMBasePath: url, OllamaLLMModelPref: "small" }),
      readRaw: async () => count(await ollama.chat({ model: "small", stream: true, messages })),
    },
    {
      name: "Gemini",
      raw: "fetch, bytes only",
      model: make("gemini", { GeminiLLMApiKey: key, GeminiLLMModelPref: gemini }),
      readRaw: () =>
        readBytes(`${url}/v1beta/models/${gemini}:streamGenerateContent?alt=sse`, {
          contents: [{ role: "user", parts: [{ text: question }] }],
        }),
    },
    {
      name: "Cohere",
      raw: "fetch, bytes only",
      model: make("cohere", { CohereApiKey: key }),
      readRaw: () => readBytes(`${url}/v2/chat`, { model: "command-r", stream: true, messages }),
    },
    {
      name: "Bedrock",
      raw: "fetch, bytes only",
      model: make("bedrock", { AwsBedrockLLMApiKey: key, AwsBedrockLLMModel: "small" }),
      readRaw: () =>
        readBytes(`${url}/model/small/converse-stream`, {
          messages: [{ role: "user", content: [{ text: question }] }],
        }),
    },
  ];
}

/** Reads one whole answer through the provider layer; resolves to the number of parts. */
export const readAnswer = ({ model }: Family): Promise<number> =>
  count(
    model.stream({
      system,
      messages: [{ role: "user", content: question }],
      temperature: null,
      signal: new AbortController().signal,
    }),
  );
