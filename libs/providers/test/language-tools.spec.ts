// What agents require of every language model: tools, structured output, round trips and usage.
import type { StreamPart, ToolChoice, ToolDefinition } from "@carrel/providers";
import type { FakeBehaviour } from "@carrel/testing";
import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import { cases, run, startVendors } from "./language-model-cases.ts";
import { conversation, encodeConversation } from "./tool-conversation.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
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

/** The tools of a request, wherever its protocol puts them. */
function declaredTools(body: Record<string, unknown>): { name: string }[] {
  const { tools, toolConfig } = body as {
    tools?: Record<string, unknown>[];
    toolConfig?: { tools?: Record<string, unknown>[] };
  };
  return [...(tools ?? []), ...(toolConfig?.tools ?? [])].flatMap(
    (tool) =>
      (tool.functionDeclarations ?? tool.function ?? tool.toolSpec ?? tool) as { name: string },
  );
}
const withTools = cases.filter(({ vendor }) => vendor.language!.supports!.tools);

describe.each(withTools)("tools of $id", (vendor) => {
  const { protocol, make, usual } = vendor;
  const behave = (behaviour: FakeBehaviour) => fake.behave({ ...usual, ...behaviour });
  beforeEach(() => behave({}));

  it("declares the tools in the vendor's format", async () => {
    await run(make(fake.url), { tools });
    const declared = declaredTools(sent());
    expect(declared).toHaveLength(2);
    const schemaName = { messages: "input_schema", gemini: "parametersJsonSchema" };
    expect(declared[0]).toMatchObject({
      name: "weather",
      description: "The weather in a city",
      ...(protocol === "bedrock"
        ? { inputSchema: { json: schema } }
        : { [schemaName[protocol as "gemini"] ?? "parameters"]: schema }),
    });
  });

  it("sends neither tools nor a format unless asked", async () => {
    await run(make(fake.url), { toolChoice: "required", parallelToolCalls: false });
    for (const field of [
      "tools",
      "tool_choice",
      "toolConfig",
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
    expect((sent().input ?? sent().messages ?? sent().contents) as unknown[]).toEqual(
      encodeConversation(vendor),
    );
  });

  it.each<[ToolChoice, unknown]>([
    ["auto", { responses: "auto", chat: "auto", gemini: { mode: "AUTO" }, bedrock: { auto: {} } }],
    [
      "none",
      {
        responses: "none",
        chat: "none",
        messages: { type: "none" },
        gemini: { mode: "NONE" },
        cohere: "NONE",
      },
    ],
    [
      "required",
      {
        responses: "required",
        chat: vendor.requiredChoice ?? "required",
        messages: { type: "any" },
        gemini: { mode: "ANY" },
        cohere: "REQUIRED",
        bedrock: { any: {} },
      },
    ],
    [
      { tool: "time" },
      {
        responses: { type: "function", name: "time" },
        chat: { type: "function", function: { name: "time" } },
        messages: { type: "tool", name: "time" },
        gemini: { mode: "ANY", allowedFunctionNames: ["time"] },
        cohere: "REQUIRED",
        bedrock: { tool: { name: "time" } },
      },
    ],
  ])("tool choice %j", async (toolChoice, expected) => {
    await run(make(fake.url), { tools, toolChoice });
    const config = sent().toolConfig as
      | { functionCallingConfig?: unknown; toolChoice?: unknown }
      | undefined;
    expect(sent().tool_choice ?? config?.functionCallingConfig ?? config?.toolChoice).toEqual(
      (expected as Record<string, unknown>)[protocol],
    );
    // If there is no tool choice to set, it limits which tools are offered.
    const offered = declaredTools(sent()).map(({ name }) => name);
    if (toolChoice === "none" && ["ollama", "bedrock"].includes(protocol))
      expect(offered).toEqual([]);
    else if (typeof toolChoice !== "string" && ["ollama", "cohere"].includes(protocol))
      expect(offered).toEqual(["time"]);
    else expect(offered).toEqual(["weather", "time"]);
  });

  it("turns parallel calls off if the vendor supports it", async () => {
    await run(make(fake.url), { tools, parallelToolCalls: false });
    expect([sent().parallel_tool_calls, sent().tool_choice]).toEqual(
      {
        responses: [false, undefined],
        chat: [vendor.callsInParallelOnly === true ? undefined : false, undefined],
        messages: [undefined, { type: "auto", disable_parallel_tool_use: true }],
        ollama: [undefined, undefined],
        gemini: [undefined, undefined],
        cohere: [undefined, undefined],
        bedrock: [undefined, undefined],
      }[protocol],
    );
  });
});

describe.each(cases)("$id", ({ vendor, protocol, make, usual, takesNoSchema }) => {
  const behave = (behaviour: FakeBehaviour) => fake.behave({ ...usual, ...behaviour });
  beforeEach(() => behave({}));

  it("sends tools only if it has them", async () => {
    await run(make(fake.url), { tools });
    expect(declaredTools(sent()).length > 0).toBe(vendor.language!.supports!.tools);
    if (!vendor.language!.supports!.tools)
      expect(await make(fake.url).supportsTools(new AbortController().signal)).toBe(false);
  });

  it("requests output of a JSON schema", async () => {
    behave({ reply: ['{"city":', '"Bern"}'] });
    const { text } = await run(make(fake.url), { output: { name: "place", schema } });
    expect(JSON.parse(text)).toEqual({ city: "Bern" });
    const body = sent();
    expect(
      body.text ??
        body.response_format ??
        body.output_config ??
        body.format ??
        body.generationConfig,
    ).toEqual(
      {
        responses: { format: { type: "json_schema", name: "place", schema, strict: true } },
        chat:
          takesNoSchema === true
            ? { type: "json_object" }
            : { type: "json_schema", json_schema: { name: "place", schema, strict: true } },
        messages: { format: { type: "json_schema", schema } },
        ollama: schema,
        gemini: expect.objectContaining({
          responseMimeType: "application/json",
          responseJsonSchema: schema,
        }),
        cohere: { type: "json_object", json_schema: schema },
        bedrock: undefined,
      }[protocol],
    );
    // If no schema can be set, the system prompt asks for it.
    if (takesNoSchema === true || protocol === "bedrock")
      expect(JSON.stringify(body.system ?? body.messages)).toContain(
        JSON.stringify(JSON.stringify(schema)).slice(1, -1),
      );
  });

  it("reports cached and reasoning tokens as part of the whole", async () => {
    behave({ reply: "one two three four", cachedTokens: 7, reasoningTokens: 2 });
    const { parts } = await run(make(fake.url));
    const { usage } = parts.at(-1) as Extract<StreamPart, { type: "finish" }>;
    expect(usage!.inputTokens).toBeGreaterThan(7);
    expect(usage!.outputTokens).toBe(4);
    expect([usage!.cachedInputTokens, usage!.reasoningTokens]).toEqual(
      { ollama: [undefined, undefined], cohere: [7, undefined], bedrock: [7, undefined] }[
        protocol as string
      ] ?? [7, 2],
    );
  });

  it("maps a filtered answer", async () => {
    behave({ reply: ["I"], finishReason: "content-filter" });
    const { parts } = await run(make(fake.url));
    // Ollama has no filter to report.
    expect(parts.at(-1)).toMatchObject({
      reason: protocol === "ollama" ? "stop" : "content-filter",
    });
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
    if (!vendor.language!.supports!.files) {
      expect(error).toMatchObject({ kind: "invalid" });
      expect(fake.requests).toHaveLength(0);
      return;
    }
    expect(error).toBeNull();
    expect(JSON.stringify(sent())).toContain("JVBERg==");
    expect(JSON.stringify(sent())).toContain(protocol === "bedrock" ? "a pdf" : "a.pdf");
  });
});
