import type { FakeLlm } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import type OpenAI from "openai";

const question = { role: "user", content: "What is the flow temperature?" } as const;
const quote = { reply: "It is 48 °C [1]." };

interface Asked {
  openai: OpenAI;
  model: string;
  /** The last prompt that the vendor received. */
  prompt: () => object;
  fake: FakeLlm;
}

/** wire-contract 9.6: how chunks look to OpenAI's own packages. */
export function testOpenAiStreams(asked: () => Asked): void {
  it("streams a chat completion", async () => {
    const { openai, model } = asked();
    const stream = await openai.chat.completions.create({
      model,
      messages: [question],
      stream: true,
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]!.delta.content).join("")).toBe(
      "It is 48 °C [1].",
    );
    expect(chunks.slice(0, -1).every(({ choices }) => choices[0]!.finish_reason === null)).toBe(
      true,
    );
    expect(chunks.at(-2)).toMatchObject({
      choices: [{ delta: { content: "", annotations: [{ type: "url_citation" }] } }],
      usage: null,
    });
    expect(chunks.at(-1)).toMatchObject({
      object: "chat.completion.chunk",
      choices: [{ delta: { content: "" }, finish_reason: "stop" }],
      usage: { total_tokens: expect.any(Number) },
    });
    // OpenAI's Python package joins them.
    expect(chunks.map(({ choices }) => choices[0]!.delta.role).filter(Boolean)).toEqual([
      "assistant",
    ]);
  });

  it("sends usage in a last chunk if asked, and passes a schema on", async () => {
    const { openai, model } = asked();
    const schema = { type: "object", properties: { degrees: { type: "number" } } };
    const format = { name: "temperature", schema };
    const stream = await openai.chat.completions.create({
      model,
      messages: [question],
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: "json_schema", json_schema: format },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
    });
    const passed = { response_format: { json_schema: format } };
    expect(asked().prompt()).toMatchObject(passed);
    await openai.responses.create({
      model,
      input: "Degrees?",
      text: { format: { type: "json_schema", ...format } },
    });
    expect(asked().prompt()).toMatchObject(passed);
  });

  it("passes on how long an answer may be, and says if it ended there", async () => {
    const { openai, model, prompt, fake } = asked();
    fake.behave({ reply: "It is", finishReason: "length" });
    const limited = { model, messages: [question], max_completion_tokens: 2 };
    expect(await openai.chat.completions.create(limited)).toMatchObject({
      choices: [{ message: { content: "It is" }, finish_reason: "length" }],
    });
    expect(prompt()).toMatchObject({ max_tokens: 2 });
    const reasons = [];
    for await (const chunk of await openai.chat.completions.create({ ...limited, stream: true }))
      reasons.push(chunk.choices[0]!.finish_reason);
    expect(reasons.at(-1)).toBe("length");
    const response = { model, input: "Degrees?", max_output_tokens: 3 };
    const incomplete = {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ type: "message", status: "incomplete" }],
    };
    expect(await openai.responses.create(response)).toMatchObject(incomplete);
    expect(prompt()).toMatchObject({ max_tokens: 3 });
    expect(await openai.responses.stream(response).finalResponse()).toMatchObject(incomplete);
    fake.behave(quote);
  });
}
