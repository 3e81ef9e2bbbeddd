import type { JsonSchema, LanguageModelCall, ToolDefinition } from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type TextPart,
  type ToolResultPart,
  type UserPart,
} from "../spec/message.ts";
import { propertiesOf } from "./call-input.ts";

/** The form that Hermes and Qwen were trained on, which most other models follow, too. */
const writeCall = (name: string, input: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;

/** A value that shows a property's type. */
function sampleOf(schema: JsonSchema): unknown {
  const { type, enum: choices, default: usual } = schema;
  if (Array.isArray(choices)) return choices[0];
  if (usual !== undefined) return usual;
  switch (Array.isArray(type) ? type[0] : type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "...";
  }
}

function exampleOf({ name, inputSchema }: ToolDefinition): string {
  const { required } = inputSchema;
  const properties = Object.entries(propertiesOf(inputSchema));
  const needed = properties.filter(([key]) => Array.isArray(required) && required.includes(key));
  const shown = needed.length > 0 ? needed : properties.slice(0, 1);
  return writeCall(name, Object.fromEntries(shown.map(([key, each]) => [key, sampleOf(each)])));
}

function demand({ toolChoice = "auto" }: LanguageModelCall): string {
  if (toolChoice === "required") return "You must call at least one of them now.";
  if (typeof toolChoice !== "string") return `You must call ${toolChoice.tool} now.`;
  return "Call one only if you need it; otherwise just answer.";
}

/** The tools that a call may use, as the tool choice limits them. */
export const offeredTools = ({ tools = [], toolChoice }: LanguageModelCall): ToolDefinition[] =>
  tools.filter(({ name }) => typeof toolChoice !== "object" || name === toolChoice.tool);

/** The system text with a description of the tools, for a model that isn't told otherwise. */
export function describeTools(call: LanguageModelCall): string {
  const tools = offeredTools(call);
  const list = tools
    .map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, parameters: inputSchema }),
    )
    .join("\n");
  const isUsable = call.toolChoice !== "none";
  const rules = `To call a tool, write exactly this and nothing after it:
${exampleOf(tools[0]!)}
The arguments are one JSON object that fits the tool's parameters. ${
    call.parallelToolCalls === false
      ? "Call one tool at a time."
      : "To call several tools, write several blocks."
  } The results come with the next message; never make them up.`;
  return [
    call.system,
    `# Tools\n\n${
      isUsable
        ? `You can call these tools. ${demand(call)}`
        : "These tools exist, but you can't call them now. Answer without them."
    }\n\n<tools>\n${list}\n</tools>`,
    ...(isUsable ? [rules] : []),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** A result can't end its own block or begin a call. */
const escapeMarks = (text: string): string =>
  text.replaceAll(/<(?=\/?tool_(?:call|response))/gi, "&lt;");

const writeResult = ({ name, output, isError }: ToolResultPart): string =>
  `<tool_response name="${name}"${isError === true ? ' error="true"' : ""}>\n${escapeMarks(output)}\n</tool_response>`;

function renderAssistant(content: string | AssistantPart[]): string | AssistantPart[] {
  if (typeof content === "string") return content;
  const calls = content.flatMap((part) =>
    part.type === "tool-call" ? [writeCall(part.name, part.input)] : [],
  );
  if (calls.length === 0) return content;
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const reasoning = content.filter((part) => part.type === "reasoning");
  const whole: TextPart = {
    type: "text",
    text: [text.trim(), ...calls].filter((part) => part !== "").join("\n"),
  };
  return [...reasoning, whole];
}

/**
 * Writes calls and results as text. Messages of the user are joined, because some models' chat
 * templates reject two in a row.
 */
export function renderMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const rendered: ModelMessage[] = [];
  let joins = false;
  for (const message of messages) {
    if (message.role === "assistant") {
      rendered.push({ role: "assistant", content: renderAssistant(message.content) });
      joins = false;
      continue;
    }
    const isResult = message.role === "tool";
    const parts: UserPart[] = isResult
      ? [{ type: "text", text: message.content.map(writeResult).join("\n") }]
      : contentParts(message.content);
    const last = rendered.at(-1);
    if (last?.role === "user" && (joins || isResult))
      last.content = [...contentParts(last.content), ...separate(parts)];
    else rendered.push({ role: "user", content: isResult ? parts : message.content });
    joins = isResult;
  }
  return rendered;
}

/** Adapters may join the texts of a message. */
const separate = (parts: UserPart[]): UserPart[] => {
  const [first, ...rest] = parts;
  return first?.type === "text" ? [{ type: "text", text: `\n\n${first.text}` }, ...rest] : parts;
};
