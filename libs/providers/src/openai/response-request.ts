import type OpenAI from "openai";
import type { LanguageModelCall } from "../spec/language-model.ts";
import type { ToolChoice } from "../spec/tool.ts";
import { convertResponseInput } from "./convert-response-input.ts";

/** OpenAI refuses a lower limit of the answer. */
const leastTokens = 16;

function mapToolChoice(
  choice: ToolChoice,
): OpenAI.Responses.ResponseCreateParamsStreaming["tool_choice"] {
  return typeof choice === "string" ? choice : { type: "function", name: choice.tool };
}

/** The body of a Responses API request. OpenAI stores nothing (`store: false`). */
export function buildResponseRequest(
  call: LanguageModelCall,
  {
    model,
    acceptsTemperature,
    isReasoning,
  }: { model: string; acceptsTemperature: boolean; isReasoning: boolean },
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { tools = [], toolChoice, parallelToolCalls, output } = call;
  return {
    model,
    stream: true,
    store: false,
    input: call.messages.flatMap(convertResponseInput),
    ...(call.system && { instructions: call.system }),
    ...(call.temperature !== null && acceptsTemperature && { temperature: call.temperature }),
    // Reasoning models reject both.
    ...(call.topP != null && acceptsTemperature && { top_p: call.topP }),
    ...(call.effort != null && isReasoning && { reasoning: { effort: call.effort } }),
    ...(call.maxTokens !== undefined && {
      max_output_tokens: Math.max(call.maxTokens, leastTokens),
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        name,
        description,
        parameters: inputSchema,
        // Strict mode rejects the optional properties that most tools have.
        strict: false,
      })),
      ...(toolChoice !== undefined && { tool_choice: mapToolChoice(toolChoice) }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
      // Between tool calls the model continues its reasoning only if it gets it back.
      ...(isReasoning && { include: ["reasoning.encrypted_content" as const] }),
    }),
    ...(output !== undefined && {
      text: {
        format: {
          type: "json_schema" as const,
          name: output.name,
          schema: output.schema,
          strict: true,
        },
      },
    }),
  };
}
