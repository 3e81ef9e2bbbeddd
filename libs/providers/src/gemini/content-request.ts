import type { LanguageModelCall } from "../spec/language-model.ts";
import { convertContents } from "./convert-contents.ts";

/** Thresholds of the safety filters (specification 2); the second to last is the default. */
export const safetyThresholds = [
  "BLOCK_NONE",
  "BLOCK_ONLY_HIGH",
  "BLOCK_MEDIUM_AND_ABOVE",
  "BLOCK_LOW_AND_ABOVE",
];
const filters = [
  "HARM_CATEGORY_HARASSMENT",
  "HARM_CATEGORY_HATE_SPEECH",
  "HARM_CATEGORY_SEXUALLY_EXPLICIT",
  "HARM_CATEGORY_DANGEROUS_CONTENT",
];

/** Tokens, for models that came before levels (ai.google.dev/gemini-api/docs/thinking). */
const thinkingBudgets = { low: 1_024, medium: 8_192, high: 24_576 };

function callingConfig({ toolChoice = "auto" }: LanguageModelCall): Record<string, unknown> {
  if (typeof toolChoice !== "string")
    return { mode: "ANY", allowedFunctionNames: [toolChoice.tool] };
  return { mode: { auto: "AUTO", none: "NONE", required: "ANY" }[toolChoice] };
}

function toolFields(call: LanguageModelCall): Record<string, unknown> {
  const { tools = [], toolChoice } = call;
  if (tools.length === 0) return {};
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          parametersJsonSchema: inputSchema,
        })),
      },
    ],
    ...(toolChoice !== undefined && { toolConfig: { functionCallingConfig: callingConfig(call) } }),
  };
}

/** The body of a GenerateContentRequest (ai.google.dev/api/generate-content, v1beta, 2026). */
export function buildContentRequest(
  call: LanguageModelCall,
  {
    safety,
    thinks,
    takesLevel,
    needsSignatures,
  }: { safety: string; thinks: boolean; takesLevel: boolean; needsSignatures: boolean },
): Record<string, unknown> {
  const { system, temperature, maxTokens, topP, effort, output } = call;
  return {
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    contents: convertContents(call.messages, { needsSignatures }),
    ...toolFields(call),
    safetySettings: filters.map((category) => ({ category, threshold: safety })),
    generationConfig: {
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(topP != null && { topP }),
      ...(thinks && {
        thinkingConfig: {
          includeThoughts: true,
          ...(effort != null &&
            (takesLevel ? { thinkingLevel: effort } : { thinkingBudget: thinkingBudgets[effort] })),
        },
      }),
      ...(output !== undefined && {
        responseMimeType: "application/json",
        responseJsonSchema: output.schema,
      }),
    },
  };
}
