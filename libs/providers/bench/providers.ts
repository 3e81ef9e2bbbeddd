import Anthropic from "@anthropic-ai/sdk";
import { createLanguageModel, type LanguageModel } from "@carrel/providers";
import { startFakeProcess } from "@carrel/testing";
import { Ollama } from "ollama";
import OpenAI from "openai";

/** One protocol: our model, and the same call without the provider layer. */
interface Family {
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

/**
 * Reads the bytes of a reply without even splitting them into events: the least that any client
 * does.
 */
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
function createFamilies(url: string): Family[] {
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
const readAnswer = ({ model }: Family): Promise<number> =>
  count(
    model.stream({
      system,
      messages: [{ role: "user", content: question }],
      temperature: null,
      signal: new AbortController().signal,
    }),
  );

/**
 * What the provider layer adds to a vendor's SDK, or to plain HTTP where Carrel uses none: per
 * call, per streamed part, and with 1,000 streams at once. The vendor is a fake in another process.
 */
const calls = 300;
const longAnswers = 30;
const partsOfLong = 2_000;
const streams = 1_000;

const vendor = await startFakeProcess();
const behave = (behaviour: object): Promise<Response> =>
  fetch(`${vendor.url}/fake/behave`, { method: "POST", body: JSON.stringify(behaviour) });
const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const print = (row: Record<"what" | "figure" | "reach" | "goal" | "how", string>): void =>
  void process.stdout.write(`${JSON.stringify(row)}\n`);

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** Processor time of this process, which excludes the fake's work. */
async function usedBy(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Alternates both ways, so that a busy machine slows both. */
async function compare(
  family: Family,
  rounds: number,
  measure: (run: () => Promise<unknown>) => Promise<number>,
): Promise<{ ours: number; raw: number }> {
  const ours: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round < rounds * 1.2; round++) {
    const measured = [
      await measure(() => readAnswer(family)),
      await measure(() => family.readRaw()),
    ] as const;
    if (round < rounds * 0.2) continue;
    ours.push(measured[0]);
    raw.push(measured[1]);
  }
  return { ours: median(ours), raw: median(raw) };
}

const families = createFamilies(vendor.url);
for (const family of families) {
  await behave({ tokens: 3 });
  const call = await compare(family, calls, timed);
  await behave({ tokens: partsOfLong });
  const long = await compare(family, longAnswers, usedBy);
  print({
    what: `${family.name}: added to a call`,
    figure: `${(call.ours - call.raw).toFixed(2)} ms`,
    reach: "≤ 1 ms",
    goal: "",
    how: `p50 of ${calls} calls in sequence: ${call.ours.toFixed(2)} ms, ${family.raw} ${call.raw.toFixed(2)} ms`,
  });
  print({
    what: `${family.name}: added to a part`,
    figure: `${((long.ours - long.raw) / partsOfLong).toFixed(1)} µs`,
    reach: "≤ 20 µs",
    goal: "",
    how: `processor time, median of ${longAnswers} answers of ${partsOfLong} parts: ${(long.ours / partsOfLong).toFixed(1)} µs per part, ${family.raw} ${(long.raw / partsOfLong).toFixed(1)} µs`,
  });
}
await behave({ tokens: 20, delayMs: 50 });
for (const family of families) {
  const began = performance.now();
  const results = await Promise.allSettled(
    Array.from({ length: streams }, () => readAnswer(family)),
  );
  const failed = results.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  print({
    what: `${family.name}: ${streams.toLocaleString("en")} streams at once`,
    figure: `${failed.length} errors`,
    reach: "0 errors",
    goal: "",
    how: `20 parts each, one per 50 ms; all done after ${((performance.now() - began) / 1000).toFixed(1)} s${failed[0] ? `; ${String(failed[0].reason)}` : ""}`,
  });
}
vendor.stop();
