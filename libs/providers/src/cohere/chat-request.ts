import type { LanguageModelCall } from "../spec/language-model.ts";
import type { ToolDefinition } from "../spec/tool.ts";
import { convertMessage } from "./convert-message.ts";

/** A named tool can only be forced by offering no other. */
function toolFields({ tools = [], toolChoice = "auto" }: LanguageModelCall): object {
  if (tools.length === 0) return {};
  const offered =
    typeof toolChoice === "string" ? tools : tools.filter(({ name }) => name === toolChoice.tool);
  const choice = toolChoice === "none" ? "NONE" : toolChoice === "auto" ? undefined : "REQUIRED";
  return {
    tools: offered.map(({ name, description, inputSchema }: ToolDefinition) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    ...(choice !== undefined && { tool_choice: choice }),
  };
}

/** The body of a streamed chat (docs.cohere.com/reference/chat-stream, v2, 2026). */
export function buildChatRequest(call: LanguageModelCall, model: string): object {
  const { system, temperature, maxTokens, topP, output } = call;
  return {
    model,
    stream: true,
    messages: [
      ...(system ? [{ role: "system", content: system }] : []),
      ...call.messages.flatMap(convertMessage),
    ],
    ...(temperature !== null && { temperature }),
    // The vendor's name and limits.
    ...(topP != null && { p: Math.min(Math.max(topP, 0.01), 0.99) }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...toolFields(call),
    ...(output !== undefined && {
      response_format: { type: "json_object", json_schema: output.schema },
    }),
  };
}
