// What agents require of every language model: tools, structured output, round trips and usage.
import { describe, expect, it, jest } from "@jest/globals";
import type { FakeBehaviour } from "@carrel/testing";
import { vendors, type StreamPart, type ToolChoice, type ToolDefinition } from "@carrel/providers";
import { cases, run, startVendors } from "./language-model-cases.ts";
import { conversation, encodedConversation } from "./tool-conversation.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
const behave = (behaviour: FakeBehaviour) => fake.behave(behaviour);
const sent = () => fake.requests.at(-1)!.body;

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools: ToolDefinition[] = [
  { name: "weather", description: "The weather in a city", inputSchema: schema },
  { name: "time", description: "The time in a city", inputSchema: schema },
];
const [weather, time] = [
  { name: "weather", input: { city: "Zürich" } },
  { name: "time", input: { city: "Tokyo" } },
];

type CallEnd = Extract<StreamPart, { type: "tool-call-end" }>;
const endsOf = (parts: StreamPart[]): CallEnd[] =>
  parts.filter((part) => part.type === "tool-call-end");
const deltasOf = (parts: StreamPart[], id: string): string =>
  parts
    .map((part) => (part.type === "tool-call-delta" && part.id === id ? part.text : ""))
    .join("");

describe.each(cases)("$id", ({ id, make }) => {
  it("declares the tools in the vendor's format", async () => {
    await run(make(fake.url), { tools });
    const declared = sent().tools as Record<string, unknown>[];
    expect(declared).toHaveLength(2);
    const first = declared[0]!;
    expect((first.function as object | undefined) ?? first).toMatchObject({
      name: "weather",
      description: "The weather in a city",
      [id === "anthropic" ? "input_schema" : "parameters"]: schema,
    });
  });

  it("sends neither tools nor a format unless asked", async () => {
    await run(make(fake.url), { toolChoice: "required", parallelToolCalls: false });
    for (const field of [
      "tools",
      "tool_choice",
      "parallel_tool_calls",
      "response_format",
      "output_config",
      "text",
      "format",
      "include",
    ])
      expect(sent()).not.toHaveProperty(field);
  });

  it("streams a tool call in parts and finishes with tool-calls", async () => {
    behave({ reply: ["Let me look."], toolCalls: [weather] });
    const { parts, text, error } = await run(make(fake.url), { tools });
    expect(error).toBeNull();
    expect(text).toBe("Let me look.");
    const [call] = endsOf(parts);
    expect(call).toMatchObject({ name: "weather", input: JSON.stringify(weather.input) });
    expect(parts).toContainEqual({ type: "tool-call-start", id: call!.id, name: "weather" });
    expect(deltasOf(parts, call!.id)).toBe(call!.input);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "tool-calls" });
  });

  it("streams parallel tool calls with separate ids", async () => {
    behave({ toolCalls: [weather, time, weather] });
    const { parts, text } = await run(make(fake.url), { tools });
    expect(text).toBe("");
    const calls = endsOf(parts);
    expect(calls.map(({ name, input }) => [name, JSON.parse(input)])).toEqual([
      ["weather", weather.input],
      ["time", time.input],
      ["weather", weather.input],
    ]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
    for (const call of calls) expect(deltasOf(parts, call.id)).toBe(call.input);
  });

  it("sends calls and results back where the vendor expects them", async () => {
    const { error, text } = await run(make(fake.url), { messages: conversation, tools });
    expect(error).toBeNull();
    expect(text).not.toBe("");
    expect((sent().input ?? sent().messages) as unknown[]).toEqual(encodedConversation[id]);
  });

  it.each<[ToolChoice, unknown]>([
    ["auto", { openai: "auto", "generic-openai": "auto" }],
    ["none", { openai: "none", "generic-openai": "none", anthropic: { type: "none" } }],
    ["required", { openai: "required", "generic-openai": "required", anthropic: { type: "any" } }],
    [
      { tool: "time" },
      {
        openai: { type: "function", name: "time" },
        "generic-openai": { type: "function", function: { name: "time" } },
        anthropic: { type: "tool", name: "time" },
      },
    ],
  ])("tool choice %j", async (toolChoice, expected) => {
    await run(make(fake.url), { tools, toolChoice });
    expect(sent().tool_choice).toEqual((expected as Record<string, unknown>)[id]);
    if (id !== "ollama") return;
    const offered = (sent().tools as { function: { name: string } }[] | undefined)?.map(
      (tool) => tool.function.name,
    );
    expect(offered).toEqual(
      toolChoice === "none"
        ? undefined
        : typeof toolChoice === "string"
          ? ["weather", "time"]
          : ["time"],
    );
  });

  it("turns parallel calls off if the vendor supports it", async () => {
    await run(make(fake.url), { tools, parallelToolCalls: false });
    expect([sent().parallel_tool_calls, sent().tool_choice]).toEqual(
      {
        openai: [false, undefined],
        "generic-openai": [false, undefined],
        anthropic: [undefined, { type: "auto", disable_parallel_tool_use: true }],
        ollama: [undefined, undefined],
      }[id],
    );
  });

  it("requests output of a JSON schema", async () => {
    behave({ reply: ['{"city":', '"Bern"}'] });
    const { text } = await run(make(fake.url), { output: { name: "place", schema } });
    expect(JSON.parse(text)).toEqual({ city: "Bern" });
    expect(sent().text ?? sent().response_format ?? sent().output_config ?? sent().format).toEqual(
      {
        openai: { format: { type: "json_schema", name: "place", schema, strict: true } },
        "generic-openai": {
          type: "json_schema",
          json_schema: { name: "place", schema, strict: true },
        },
        anthropic: { format: { type: "json_schema", schema } },
        ollama: schema,
      }[id],
    );
  });

  it("reports cached and reasoning tokens as part of the whole", async () => {
    behave({ reply: "one two three four", cachedTokens: 7, reasoningTokens: 2 });
    const { parts } = await run(make(fake.url));
    const { usage } = parts.at(-1) as Extract<StreamPart, { type: "finish" }>;
    expect(usage!.inputTokens).toBeGreaterThan(7);
    expect(usage!.outputTokens).toBe(4);
    expect([usage!.cachedInputTokens, usage!.reasoningTokens]).toEqual(
      id === "ollama" ? [undefined, undefined] : [7, 2],
    );
  });

  it("maps a filtered answer", async () => {
    behave({ reply: ["I"], finishReason: "content-filter" });
    const { parts } = await run(make(fake.url));
    // Ollama has no filter to report.
    expect(parts.at(-1)).toMatchObject({ reason: id === "ollama" ? "stop" : "content-filter" });
  });

  it("sends a document, or reports that the vendor doesn't accept any", async () => {
    const { error } = await run(make(fake.url), {
      messages: [
        {
          role: "user",
          content: [
            { type: "file", mime: "application/pdf", base64: "JVBERg==", filename: "a.pdf" },
            { type: "text", text: "What does it say?" },
          ],
        },
      ],
    });
    if (!vendors.find((vendor) => vendor.id === id)!.language!.supports!.files) {
      expect(error).toMatchObject({ kind: "invalid" });
      expect(fake.requests).toHaveLength(0);
      return;
    }
    expect(error).toBeNull();
    expect(JSON.stringify(sent())).toContain("JVBERg==");
    expect(JSON.stringify(sent())).toContain("a.pdf");
  });
});
