import type Anthropic from "@anthropic-ai/sdk";
import type { LanguageModelCall } from "../spec/language-model.ts";
import { convertMessage } from "./convert-message.ts";
import type { CacheControl } from "./map-cache-control.ts";

/** Turning parallel calls off is a flag of the choice, so the default choice must be named too. */
function mapToolChoice({
  toolChoice = "auto",
  parallelToolCalls,
}: LanguageModelCall): Anthropic.ToolChoice | undefined {
  const serial = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (typeof toolChoice !== "string") return { type: "tool", name: toolChoice.tool, ...serial };
  switch (toolChoice) {
    case "none":
      return { type: "none" };
    case "required":
      return { type: "any", ...serial };
    case "auto":
      return parallelToolCalls === false ? { type: "auto", ...serial } : undefined;
  }
}

/**
 * The body of a Messages API request. It never contains a temperature or top-p: API version 2026-10-21,
 * which this SDK uses, rejects them with 400 (docs/decisions/model-providers.md).
 */
export function buildMessageRequest(
  call: LanguageModelCall,
  {
    model,
    maxTokens,
    cacheControl,
    acceptsEffort,
  }: { model: string; maxTokens: number; cacheControl: CacheControl; acceptsEffort: boolean },
): Anthropic.MessageCreateParamsStreaming {
  const { tools = [], output } = call;
  const cache =
    cacheControl === "none"
      ? {}
      : { cache_control: { type: "ephemeral" as const, ttl: cacheControl } };
  const choice = mapToolChoice(call);
  const hasEffort = call.effort != null && acceptsEffort;
  return {
    model,
    stream: true,
    max_tokens: call.maxTokens ?? maxTokens,
    messages: call.messages.flatMap(convertMessage),
    ...(call.system && { system: [{ type: "text" as const, text: call.system, ...cache }] }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: { type: "object" as const, ...inputSchema },
      })),
      ...(choice !== undefined && { tool_choice: choice }),
    }),
    ...((output !== undefined || hasEffort) && {
      output_config: {
        ...(output !== undefined && {
          format: { type: "json_schema" as const, schema: output.schema },
        }),
        ...(hasEffort && { effort: call.effort }),
      },
    }),
  };
}
