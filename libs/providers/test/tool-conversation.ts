import type { ModelMessage } from "@carrel/providers";

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

/** The same conversation in each protocol. */
export const encodedConversation: Record<string, unknown[]> = {
  openai: [
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
  "generic-openai": [
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
  anthropic: [
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
