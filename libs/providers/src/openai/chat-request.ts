import type OpenAI from "openai";
import type { LanguageModelCall } from "../spec/language-model.ts";
import type { ToolChoice } from "../spec/tool.ts";
import { convertChatMessage } from "./convert-chat-message.ts";

function mapToolChoice(choice: ToolChoice): OpenAI.Chat.ChatCompletionToolChoiceOption {
  return typeof choice === "string"
    ? choice
    : { type: "function", function: { name: choice.tool } };
}

/** The body of a chat completions request. */
export function buildChatRequest(
  call: LanguageModelCall,
  {
    model,
    maxTokens,
    acceptsTemperature,
  }: { model: string; maxTokens: number | undefined; acceptsTemperature: boolean },
): OpenAI.Chat.ChatCompletionCreateParamsStreaming {
  const { tools = [], toolChoice, parallelToolCalls, output } = call;
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(call.system ? [{ role: "system" as const, content: call.system }] : []),
      ...call.messages.flatMap(convertChatMessage),
    ],
    ...(call.temperature !== null && acceptsTemperature && { temperature: call.temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        function: { name, description, parameters: inputSchema },
      })),
      ...(toolChoice !== undefined && { tool_choice: mapToolChoice(toolChoice) }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    }),
    ...(output !== undefined && {
      response_format: {
        type: "json_schema" as const,
        json_schema: { name: output.name, schema: output.schema, strict: true },
      },
    }),
  };
}
