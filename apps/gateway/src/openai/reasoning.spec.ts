import type { CarrelFrame, MetricsWire, StreamFrame } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import type { CollectedAnswer } from "../chat/collect-generation.ts";
import { AnswerReader, type AnswerEvents } from "./answer-reader.ts";
import { buildChatCompletion, ChatCompletionEvents } from "./chat-completions.ts";
import { buildWholeResponse, ResponseEvents } from "./responses.ts";

const text = "<think>Let me see.</think>\n\nFour.";
const metrics: MetricsWire = {
  ...{ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, outputTps: 1, duration: 1 },
  timestamp: "2026-01-01T00:00:00.000Z",
};
const head = { id: "g", created: 0, model: "docs" };
const responseHead = {
  ...head,
  ...{ instructions: null, temperature: null, tools: [], toolChoice: "auto" },
};
const chunk = (textResponse: string, close = false): StreamFrame => ({
  ...{ uuid: "g", sources: [], type: "textResponseChunk", textResponse, close, error: false },
});
const span = (end: number | null): CarrelFrame => ({
  ...{ type: "generationReasoning", start: 0, end, milliseconds: 5 },
});
/** As the chat service writes them: text in batches, and the end of reasoning before its text. */
const frames = [
  span(null),
  chunk("<think>Let me "),
  span(26),
  chunk("see.</think>\n\nFo"),
  chunk("ur."),
  chunk("", true),
  { type: "finalizeResponseStream", uuid: "g", close: true, error: false, metrics },
];
const answer: CollectedAnswer = {
  ...{ text, reasoning: [{ start: 0, end: 26, milliseconds: 5 }], sources: [], metrics },
  ...{ toolCalls: [], chatId: 1, error: null, fault: null, refused: false, isAbandoned: false },
};

/** The parts of chunks and events that these tests read. */
interface Sent {
  type: string;
  output_index?: number;
  choices: [{ delta: { content: string; reasoning_content?: string } }];
  response: { output: unknown[] };
}

async function read(makeEvents: (send: (data: string) => Promise<void>) => AnswerEvents) {
  const sent: Sent[] = [];
  const events = makeEvents((data) => {
    sent.push(JSON.parse(data) as Sent);
    return Promise.resolve();
  });
  const sink = { signal: new AbortController().signal, leftByClient: false, end: () => undefined };
  const reader = new AnswerReader(sink, events);
  for (const frame of frames) await reader.send(JSON.stringify(frame));
  return sent;
}

describe("reasoning in OpenAI's protocols", () => {
  it("is reasoning_content of chat completions", async () => {
    expect(buildChatCompletion(head, answer).choices[0]!.message).toMatchObject({
      content: "Four.",
      reasoning_content: "Let me see.",
    });
    const sent = await read((send) => {
      const style = { exact: true, usageApart: false };
      return new ChatCompletionEvents(head, style, { send });
    });
    const deltas = sent.map(({ choices }) => choices[0].delta);
    expect(deltas.map((delta) => delta.reasoning_content ?? "").join("")).toBe("Let me see.");
    expect(deltas.map((delta) => delta.content).join("")).toBe("Four.");
    expect(JSON.stringify(sent)).not.toContain("think>");
  });

  it("is absent from messages without it", () => {
    const { message } = buildChatCompletion(head, { ...answer, text: "Four.", reasoning: [] })
      .choices[0]!;
    expect(message).not.toHaveProperty("reasoning_content");
    expect(message.content).toBe("Four.");
  });

  it("is an item of responses", async () => {
    const items = [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Let me see." }] },
      { type: "message", content: [{ type: "output_text", text: "Four." }] },
    ];
    expect(buildWholeResponse(responseHead, answer).output).toMatchObject(items);
    const sent = await read((send) => new ResponseEvents(responseHead, { send }));
    expect(sent.map(({ type, output_index: index }) => [type, index])).toEqual([
      ["response.output_item.added", 0],
      ["response.reasoning_summary_part.added", 0],
      ["response.reasoning_summary_text.delta", 0],
      ["response.reasoning_summary_text.delta", 0],
      ["response.reasoning_summary_text.done", 0],
      ["response.reasoning_summary_part.done", 0],
      ["response.output_item.done", 0],
      ["response.output_item.added", 1],
      ["response.content_part.added", 1],
      ["response.output_text.delta", 1],
      ["response.output_text.delta", 1],
      ["response.output_text.done", 1],
      ["response.content_part.done", 1],
      ["response.output_item.done", 1],
      ["response.completed", undefined],
    ]);
    expect(sent.at(-1)!.response.output).toMatchObject(items);
    expect(JSON.stringify(sent)).not.toContain("think>");
  });
});
