import type { ChatRequest, Tool } from "ollama";
import type { LanguageModelCall } from "../spec/language-model.ts";
import type { ToolDefinition } from "../spec/tool.ts";
import { convertMessage } from "./convert-message.ts";

/** The protocol has no tool choice, so a choice limits which tools are offered. */
function offeredTools({ tools = [], toolChoice = "auto" }: LanguageModelCall): Tool[] {
  const offered =
    toolChoice === "none"
      ? []
      : typeof toolChoice === "string"
        ? tools
        : tools.filter(({ name }) => name === toolChoice.tool);
  return offered.map(({ name, description, inputSchema }: ToolDefinition): Tool => ({
    type: "function",
    function: {
      name,
      description,
      parameters: inputSchema as NonNullable<Tool["function"]["parameters"]>,
    },
  }));
}

/** The body of an /api/chat request; `contextWindow` is null to leave it to the server. */
export function buildChatRequest(
  call: LanguageModelCall,
  {
    model,
    contextWindow,
    keepAliveSeconds,
    acceptsEffort,
  }: {
    model: string;
    contextWindow: number | null;
    keepAliveSeconds: number;
    acceptsEffort: boolean;
  },
): ChatRequest & { stream: true } {
  const tools = offeredTools(call);
  return {
    model,
    stream: true,
    messages: [
      ...(call.system ? [{ role: "system", content: call.system }] : []),
      ...call.messages.flatMap(convertMessage),
    ],
    keep_alive: keepAliveSeconds < 0 ? -1 : `${keepAliveSeconds}s`,
    ...(tools.length > 0 && { tools }),
    ...(call.effort != null && acceptsEffort && { think: call.effort }),
    ...(call.output !== undefined && { format: call.output.schema }),
    options: {
      ...(contextWindow !== null && { num_ctx: contextWindow }),
      ...(call.temperature !== null && { temperature: call.temperature }),
      ...(call.topP != null && { top_p: call.topP }),
      ...(call.maxTokens !== undefined && { num_predict: call.maxTokens }),
    },
  };
}
