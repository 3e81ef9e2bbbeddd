// What models' streams mean in every form that servers send: the exact bytes go through HTTP, and
// through the reader cut into pieces.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ProviderError, createLanguageModel, type StreamPart } from "@carrel/providers";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { MessageEventReader } from "../src/anthropic/anthropic-language-model.ts";
import { anthropicShapes } from "../src/anthropic/anthropic-streams.fixture.ts";
import { anthropicToolCalls } from "../src/anthropic/anthropic-tool-calls.fixture.ts";
import { bedrockToolCalls, bedrockShapes } from "../src/bedrock/bedrock.fixture.ts";
import {
  ConverseReader,
  EventStreamMessages,
  loadEventStreams,
} from "../src/bedrock/read-converse-events.ts";
import { cohereShapes } from "../src/cohere/cohere-streams.fixture.ts";
import { cohereToolCalls } from "../src/cohere/cohere-tool-calls.fixture.ts";
import { CohereReader } from "../src/cohere/read-chat-events.ts";
import { GeminiReader } from "../src/gemini/contents.ts";
import { geminiShapes } from "../src/gemini/gemini-streams.fixture.ts";
import { geminiToolCalls } from "../src/gemini/gemini-tool-calls.fixture.ts";
import { PartQueue, readParts, type PartReader } from "../src/http/run-stream.ts";
import { TextEvents, type StreamSplitter } from "../src/http/split-stream.ts";
import { sse, type StreamShape } from "../src/http/stream-shape.fixture.ts";
import { ReplyReader } from "../src/ollama/ollama-language-model.ts";
import { ollamaShapes } from "../src/ollama/ollama-streams.fixture.ts";
import { ollamaToolCalls } from "../src/ollama/ollama-tool-calls.fixture.ts";
import { alpha, calling, choice, omega, stop } from "../src/openai/chat-chunks.fixture.ts";
import { chatBodies, chatContents } from "../src/openai/chat-contents.fixture.ts";
import { chatEnds } from "../src/openai/chat-ends.fixture.ts";
import { chatFaults } from "../src/openai/chat-faults.fixture.ts";
import { chatFraming } from "../src/openai/chat-framing.fixture.ts";
import { chatToolCalls } from "../src/openai/chat-tool-calls.fixture.ts";
import { ChatChunkReader } from "../src/openai/read-chat-chunks.ts";
import { responsesShapes } from "../src/openai/response-streams.fixture.ts";
import { responsesToolCalls } from "../src/openai/response-tool-calls.fixture.ts";
import { ResponseEventReader } from "../src/openai/responses-language-model.ts";
import { cases, key, run, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
const vendor = { name: "Vendor", origin: "http://vendor", secrets: [] };

const byVendor = {
  "generic-openai": [
    ...chatEnds,
    ...chatFraming,
    ...chatContents,
    ...chatBodies,
    ...chatFaults,
    ...chatToolCalls,
  ],
  openai: [...responsesShapes, ...responsesToolCalls],
  anthropic: [...anthropicShapes, ...anthropicToolCalls],
  gemini: [...geminiShapes, ...geminiToolCalls],
  ollama: [...ollamaShapes, ...ollamaToolCalls],
  cohere: [...cohereShapes, ...cohereToolCalls],
  bedrock: [...bedrockShapes, ...bedrockToolCalls],
};
type Id = keyof typeof byVendor;
const shapes = Object.entries(byVendor);

interface Meaning {
  text: string;
  reasoning: string;
  calls: string[];
  inputs: unknown[];
  reason: string | null;
  end: StreamPart | null;
}

/** What a reader of the parts knows at the end. */
function meaningOf(parts: readonly StreamPart[]): Meaning {
  const got: Meaning = { text: "", reasoning: "", calls: [], inputs: [], reason: null, end: null };
  const started = new Map<string, string>();
  for (const part of parts) {
    expect(got.end).toBeNull();
    if (part.type === "text-delta") got.text += part.text;
    if (part.type === "reasoning-delta") got.reasoning += part.text;
    if (part.type === "text-was-reasoning") [got.reasoning, got.text] = [got.text, ""];
    if (part.type === "tool-call-start") {
      expect(started.has(part.id)).toBe(false);
      started.set(part.id, part.name);
    }
    if (part.type === "tool-call-end") {
      expect(started.get(part.id)).toBe(part.name);
      got.inputs.push(JSON.parse(part.input));
      got.calls.push(part.name);
    }
    if (part.type === "finish") [got.reason, got.end] = [part.reason, part];
  }
  return got;
}

/** Sends this shape through the vendor's client and compares what arrives. */
async function check(vendors: FakeLlm, id: Id, shape: StreamShape): Promise<void> {
  const { make, usual } = cases.find((each) => each.id === id)!;
  vendors.behave({ ...usual, raw: shape });
  const { parts, error } = await run(make(vendors.url));
  const { text, reasoning, calls, inputs, reason } = meaningOf(parts);
  expect(inputs).toEqual(shape.inputs ?? inputs);
  expect({ shape: shape.name, text, reasoning, calls, reason }).toEqual({
    shape: shape.name,
    text: shape.text ?? "",
    reasoning: shape.reasoning ?? "",
    calls: shape.calls ?? [],
    reason: shape.reason === undefined ? "stop" : shape.reason,
  });
  if (shape.fault === undefined) expect(error).toBeNull();
  else {
    expect(error).toBeInstanceOf(ProviderError);
    const { fault, message } = error as ProviderError;
    expect([fault.code, message]).toEqual([
      `provider.${shape.fault[0]}`,
      expect.stringContaining(shape.fault[1] ?? ""),
    ]);
  }
}

describe.each(shapes)("%s", (id, list) => {
  const ending = list.filter(({ staysOpen }) => staysOpen !== true);
  it.each(ending.map((shape) => [shape.name, shape] as const))("%s", (_name, shape) =>
    check(fake, id as Id, shape),
  );
});

// Each has its own vendors, because all wait five seconds for an end.
it("an answer is over although its connection stays open", async () => {
  const open = shapes.flatMap(([id, list]) =>
    list.filter(({ staysOpen }) => staysOpen === true).map((shape) => ({ id: id as Id, shape })),
  );
  expect(open).toHaveLength(4);
  await Promise.all(
    open.map(async ({ id, shape }) => {
      const own = await startFakeLlm({ apiKey: key });
      try {
        const started = performance.now();
        await check(own, id, shape);
        expect(performance.now() - started).toBeLessThan(8_000);
      } finally {
        await own.stop();
      }
    }),
  );
});

describe("a compressed reply", () => {
  const { make } = cases.find(({ id }) => id === "generic-openai")!;
  const body = sse({ choices: [{ delta: { content: "Alpha Omega." }, finish_reason: "stop" }] });
  it.each([
    ["gzip", gzipSync(body)],
    ["br", brotliCompressSync(body)],
    ["GZIP", gzipSync(body).subarray(0, -6)],
  ])("%s", async (encoding, bytes) => {
    fake.behave({ raw: { body: bytes, headers: { "content-encoding": encoding } } });
    const { text, error } = await run(make(fake.url));
    expect([text, error]).toEqual(["Alpha Omega.", null]);
  });

  it("that is damaged breaks the answer off", async () => {
    fake.behave({ raw: { body: "no gzip", headers: { "content-encoding": "gzip" } } });
    expect((await run(make(fake.url))).error).toMatchObject({ kind: "broken-stream" });
  });
});

describe("a chat completion", () => {
  const stopWith = (delta: object) => choice(delta, "stop");
  const message = (content: string, object = "chat.completion.chunk") => ({
    object,
    choices: [{ index: 0, message: { content } }],
  });
  it.each<[string, object[], boolean]>([
    ["with a reason after its text", [alpha, stop], true],
    ["with a reason at the beginning", [stopWith({ role: "assistant" })], false],
    ["with a reason beside reasoning", [stopWith({ reasoning_content: "Hm." })], false],
    ["with a reason beside each text", [stopWith({ content: "Alpha " }), alpha], false],
    ["with text after the reason", [alpha, stop, omega], false],
    ["with a reason twice", [alpha, stop, omega, stop], true],
    ["with a reason after calls", [calling, choice({}, "tool_calls")], true],
    ["with messages as pieces", [message("Alpha ")], false],
    ["that is whole", [message("Alpha ", "chat.completion")], true],
    ["whose pieces are called whole", [alpha, message("Omega.", "chat.completion")], false],
  ])("%s", (_name, chunks, isOver) => {
    const reader = new ChatChunkReader(vendor, undefined);
    for (const chunk of chunks) reader.read(chunk, new PartQueue(false));
    expect(reader.isComplete).toBe(isOver);
  });

  it("is over only once nothing has come for a while", async () => {
    const counts = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    // An event every few milliseconds, for longer than the timeout.
    const body = sse(alpha, stop, ...Array<object>(1_100).fill({ choices: [] }), counts);
    fake.behave({ raw: { body, pieceBytes: 22, staysOpen: true } });
    const settings = { OpenRouterApiKey: key, OpenRouterTimeout: "1000" };
    const model = createLanguageModel("openrouter", settings, { baseUrl: `${fake.url}/v1` });
    expect((await run(model)).parts.at(-1)).toMatchObject({ usage: { outputTokens: 2 } });
  });
});

let eventStreams: Awaited<ReturnType<typeof loadEventStreams>>;
beforeAll(async () => {
  eventStreams = await loadEventStreams();
});
const readers: Record<Id, () => PartReader<never>> = {
  "generic-openai": () => new ChatChunkReader(vendor, undefined),
  openai: () => new ResponseEventReader(vendor),
  anthropic: () => new MessageEventReader(vendor),
  gemini: () => new GeminiReader(vendor),
  ollama: () => new ReplyReader(vendor),
  cohere: () => new CohereReader(vendor),
  bedrock: () => new ConverseReader(vendor),
};

/** Reads the bytes in these pieces, without HTTP. */
function readPieces(id: Id, pieces: readonly Uint8Array[]): Meaning & { fault: unknown } {
  const splitter: StreamSplitter =
    id === "bedrock" ? new EventStreamMessages(eventStreams) : new TextEvents();
  const reader = { vendor, reader: readers[id]() };
  const queue = new PartQueue(true);
  const parts: StreamPart[] = [];
  const hasEnd = () => parts.at(-1)?.type === "finish";
  let fault: unknown = null;
  try {
    for (const piece of pieces) {
      for (const part of readParts(reader, splitter.push(piece), queue)) {
        parts.push(part);
        if (hasEnd()) break;
      }
      if (hasEnd()) break;
    }
    if (!hasEnd())
      for (const part of readParts(reader, splitter.end(), queue, true)) {
        parts.push(part);
        if (hasEnd()) break;
      }
  } catch (error) {
    fault = error instanceof ProviderError ? error.fault : "broken";
  }
  return { ...meaningOf(parts), fault };
}

it.each(shapes)("%s: means the same wherever it is cut", (id, list: StreamShape[]) => {
  for (const [index, { name, body }] of list.entries()) {
    const bytes = Buffer.from(body);
    const whole = readPieces(id as Id, [bytes]);
    // Reading byte by byte, below, covers every cut.
    for (let at = 1 + (index % 7); at < bytes.length; at += 7) {
      const got = readPieces(id as Id, [bytes.subarray(0, at), bytes.subarray(at)]);
      if (JSON.stringify(got) !== JSON.stringify(whole))
        expect([name, at, got]).toEqual([name, at, whole]);
    }
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect([name, readPieces(id as Id, single)]).toEqual([name, whole]);
  }
});

const inputs = join(import.meta.dirname, "../../../../../shared/data/inputs");
const recorded: [file: string, shape: Omit<StreamShape, "name" | "body">][] = [
  ["stream-nofinish.sse", { text: "Alpha Omega." }],
  [
    "stream-thinkclose.sse",
    { reasoning: "Okay, the user asks. I should say it.\n", text: "Alpha Omega." },
  ],
  [
    "stream-errordetail.sse",
    { reason: null, fault: ["prompt-too-long", "context length exceeded"] },
  ],
  ["stream-finisherror.sse", { text: "Alpha ", reason: null, fault: ["stopped-with-error"] }],
  ["stream-filter.sse", { text: "Alpha ", reason: "content-filter" }],
  ["stream-toolonly.sse", { calls: ["lookup"], reason: "tool-calls" }],
  ["stream-bom.sse", { text: "Alpha Omega." }],
  ["stream-jsonbody.json.body", { text: "Alpha Omega." }],
  ["stream-json200err.json.body", { reason: null, fault: ["key-rejected", "Invalid key in 200"] }],
];

const missing = existsSync(inputs) ? "" : " (not run: ../shared/data/inputs is missing)";
(existsSync(inputs) ? it : it.skip).each(recorded)(
  `%s means what it should${missing}`,
  (file, shape) => {
    const { fault, ...got } = readPieces("generic-openai", [readFileSync(join(inputs, file))]);
    expect(got).toMatchObject({
      text: shape.text ?? "",
      reasoning: shape.reasoning ?? "",
      calls: shape.calls ?? [],
      reason: shape.reason === undefined ? "stop" : shape.reason,
    });
    expect(fault).toEqual(
      shape.fault === undefined
        ? null
        : expect.objectContaining({ code: `provider.${shape.fault[0]}` }),
    );
  },
);
