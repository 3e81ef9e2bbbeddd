import type { LanguageModelCall } from "../spec/language-model.ts";
import type { ToolChoice } from "../spec/tool.ts";
import { convertMessage } from "./convert-message.ts";

function mapToolChoice(choice: ToolChoice): object {
  if (typeof choice !== "string") return { tool: { name: choice.tool } };
  return choice === "required" ? { any: {} } : { auto: {} };
}

/** There is no choice `none`, so nothing is offered then, unless calls were made before. */
function toolFields({ tools = [], toolChoice, messages }: LanguageModelCall): object {
  const hasCalls = messages.some(({ role }) => role === "tool");
  if (tools.length === 0 || (toolChoice === "none" && !hasCalls)) return {};
  return {
    toolConfig: {
      tools: tools.map(({ name, description, inputSchema }) => ({
        toolSpec: { name, description, inputSchema: { json: inputSchema } },
      })),
      ...(toolChoice !== undefined &&
        toolChoice !== "none" && { toolChoice: mapToolChoice(toolChoice) }),
    },
  };
}

/** Converse takes no schema for the answer, so the model is asked to follow it. */
function systemText({ system, output }: LanguageModelCall): string {
  if (output === undefined) return system;
  const wish = `Answer with JSON that matches this schema, and nothing else: ${JSON.stringify(output.schema)}`;
  return system ? `${system}\n\n${wish}` : wish;
}

/** The body of a ConverseStream request (AWS API reference, Bedrock Runtime, 2026). */
export function buildConverseRequest(
  call: LanguageModelCall,
  { maxTokens, acceptsTemperature }: { maxTokens: number | undefined; acceptsTemperature: boolean },
): object {
  const system = systemText(call);
  return {
    ...(system && { system: [{ text: system }] }),
    messages: call.messages.flatMap(convertMessage),
    inferenceConfig: {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(call.temperature !== null && acceptsTemperature && { temperature: call.temperature }),
      ...(call.topP != null && acceptsTemperature && { topP: call.topP }),
    },
    ...toolFields(call),
  };
}
