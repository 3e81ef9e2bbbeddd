import type { ModelMessage } from "@carrel/providers";
import type { LanguageModelCase } from "./language-model-cases.ts";

/** A question, two calls and their results. */
export const conversation: ModelMessage[] = [
  { role: "user", content: "Weather in Zürich, time in Tokyo?" },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Let me look." },
      { type: "tool-call", id: "call_1", name: "weather", input: { city: "Zürich" } },
      { type: "tool-call", id: "call_2", name: "time", input: { city: "Tokyo" } },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", id: "call_1", name: "weather", output: "Rain" },
      {
        type: "tool-result",
        id: "call_2",
        name: "time",
        output: "The clock is broken.",
        isError: true,
      },
    ],
  },
];

const encoded: Record<string, unknown[]> = {
  responses: [
    { role: "user", content: "Weather in Zürich, time in Tokyo?" },
    { role: "assistant", content: "Let me look." },
    {
      type: "function_call",
      call_id: "call_1",
      name: "weather",
      arguments: '{"city":"Zürich"}',
    },
    { type: "function_call", call_id: "call_2", name: "time", arguments: '{"city":"Tokyo"}' },
    { type: "function_call_output", call_id: "call_1", output: "Rain" },
    { type: "function_call_output", call_id: "call_2", output: "The clock is broken." },
  ],
  chat: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather in Zürich, time in Tokyo?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "weather", arguments: '{"city":"Zürich"}' },
        },
        {
          id: "call_2",
          type: "function",
          function: { name: "time", arguments: '{"city":"Tokyo"}' },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "Rain" },
    { role: "tool", tool_call_id: "call_2", content: "The clock is broken." },
  ],
  messages: [
    { role: "user", content: "Weather in Zürich, time in Tokyo?" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_1", name: "weather", input: { city: "Zürich" } },
        { type: "tool_use", id: "call_2", name: "time", input: { city: "Tokyo" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_1", content: "Rain" },
        {
          type: "tool_result",
          tool_use_id: "call_2",
          content: "The clock is broken.",
          is_error: true,
        },
      ],
    },
  ],
  gemini: [
    { role: "user", parts: [{ text: "Weather in Zürich, time in Tokyo?" }] },
    {
      role: "model",
      parts: [
        { text: "Let me look." },
        { functionCall: { id: "call_1", name: "weather", args: { city: "Zürich" } } },
        { functionCall: { id: "call_2", name: "time", args: { city: "Tokyo" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "call_1", name: "weather", response: { output: "Rain" } } },
        {
          functionResponse: {
            id: "call_2",
            name: "time",
            response: { error: "The clock is broken." },
          },
        },
      ],
    },
  ],
  cohere: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather in Zürich, time in Tokyo?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "weather", arguments: '{"city":"Zürich"}' },
        },
        {
          id: "call_2",
          type: "function",
          function: { name: "time", arguments: '{"city":"Tokyo"}' },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "Rain" },
    { role: "tool", tool_call_id: "call_2", content: "The clock is broken." },
  ],
  bedrock: [
    { role: "user", content: [{ text: "Weather in Zürich, time in Tokyo?" }] },
    {
      role: "assistant",
      content: [
        { text: "Let me look." },
        { toolUse: { toolUseId: "call_1", name: "weather", input: { city: "Zürich" } } },
        { toolUse: { toolUseId: "call_2", name: "time", input: { city: "Tokyo" } } },
      ],
    },
    {
      role: "user",
      content: [
        { toolResult: { toolUseId: "call_1", content: [{ text: "Rain" }] } },
        {
          toolResult: {
            toolUseId: "call_2",
            content: [{ text: "The clock is broken." }],
            status: "error",
          },
        },
      ],
    },
  ],
  ollama: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather in Zürich, time in Tokyo?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        { function: { name: "weather", arguments: { city: "Zürich" } } },
        { function: { name: "time", arguments: { city: "Tokyo" } } },
      ],
    },
    { role: "tool", tool_name: "weather", content: "Rain" },
    { role: "tool", tool_name: "time", content: "The clock is broken." },
  ],
};

/** The same conversation as the vendor must receive it. */
export function encodeConversation(vendor: LanguageModelCase): unknown {
  const { protocol, callIds = {}, returnsReasoning } = vendor;
  let json = JSON.stringify(encoded[protocol]);
  for (const [id, own] of Object.entries(callIds)) json = json.replaceAll(`"${id}"`, `"${own}"`);
  const messages = JSON.parse(json) as Record<string, unknown>[];
  if (returnsReasoning === true)
    for (const message of messages) if ("tool_calls" in message) message.reasoning_content = "";
  return messages;
}
