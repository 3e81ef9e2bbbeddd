import type {
  ClientOutputFormat,
  ClientTool,
  ClientToolChoice,
  In,
  createChatCompletion,
  createResponse,
} from "@carrel/contracts";

type ChatInput = In<typeof createChatCompletion>;
type ResponseInput = In<typeof createResponse>;
interface ReadTools {
  tools: ClientTool[];
  toolChoice: ClientToolChoice | null;
}

type FunctionTool = NonNullable<ResponseInput["tools"]>[number];

const readTool = ({
  name,
  description,
  parameters,
}: Pick<FunctionTool, "name" | "description" | "parameters">): ClientTool => ({
  name,
  description: description ?? "",
  inputSchema: parameters ?? { type: "object", properties: {} },
});

export const readChatTools = ({ tools, tool_choice: choice }: ChatInput): ReadTools => ({
  tools: (tools ?? []).map((tool) => readTool(tool.function)),
  toolChoice:
    choice == null || typeof choice === "string"
      ? (choice ?? null)
      : { tool: choice.function.name },
});

export const readResponseTools = ({ tools, tool_choice: choice }: ResponseInput): ReadTools => ({
  tools: (tools ?? []).map(readTool),
  toolChoice:
    choice == null || typeof choice === "string" ? (choice ?? null) : { tool: choice.name },
});

export function readChatFormat({
  response_format: format,
}: Pick<ChatInput, "response_format">): ClientOutputFormat | null {
  return format?.type === "json_schema" ? format.json_schema : null;
}

export function readResponseFormat({
  text,
}: Pick<ResponseInput, "text">): ClientOutputFormat | null {
  const format = text?.format;
  return format?.type === "json_schema" ? { name: format.name, schema: format.schema } : null;
}
