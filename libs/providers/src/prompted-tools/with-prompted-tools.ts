import { randomUUID } from "node:crypto";
import type {
  LanguageModel,
  LanguageModelCall,
  JsonSchema,
  ToolDefinition,
} from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type TextPart,
  type ToolResultPart,
  type UserPart,
} from "../spec/message.ts";
import type { FinishReason, StreamPart, Usage } from "../spec/stream-part.ts";
import { propertiesOf } from "./call-input.ts";
import type { WrittenCall } from "./call-object.ts";
import { CallScanner, scanText } from "./call-scanner.ts";
import { ToolNames } from "./tool-names.ts";

/** Reasons after which the text is incomplete, so that an unfinished call must not run. */
const cutReasons: ReadonlySet<FinishReason> = new Set(["length", "incomplete", "content-filter"]);

/** One answer whose calls are separated from its text. */
class PromptedAnswer {
  hasNativeCalls = false;
  private parts: StreamPart[] = [];
  private calls: WrittenCall[] = [];
  private text = "";
  private reasoning = "";
  private scanner: CallScanner;

  constructor(
    private readonly names: ToolNames,
    private readonly call: LanguageModelCall,
    /** Whether the model was offered the tools as its own. */
    private readonly hasOwnTools: boolean,
  ) {
    this.scanner = this.newScanner();
  }

  /** Whether nothing of use follows: the model goes on with results that it made up. */
  get isOver(): boolean {
    return this.scanner.isOver;
  }

  /** Reads a part of the model's answer, except the last. */
  read(part: StreamPart): void {
    if (part.type === "text-delta") return this.scanner.push(part.text);
    if (part.type === "reasoning-delta") this.reasoning += part.text;
    if (part.type === "tool-call-start") this.hasNativeCalls = true;
    if (part.type === "text-was-reasoning") {
      this.reasoning = this.text + this.reasoning;
      this.text = "";
      this.calls = [];
      this.scanner = this.newScanner();
    }
    this.parts.push(part);
  }

  take(): StreamPart[] {
    const taken = this.parts;
    this.parts = [];
    return taken;
  }

  /** Adds what was held back, the calls and the finish. */
  finish(reason: FinishReason, usage: Usage | null): void {
    this.scanner.end(cutReasons.has(reason));
    const calls = this.choose();
    for (const { name, input } of calls) {
      const id = newCallId();
      this.parts.push({ type: "tool-call-start", id, name });
      this.parts.push({ type: "tool-call-delta", id, text: input });
      this.parts.push({ type: "tool-call-end", id, name, input });
    }
    const isCall = calls.length > 0 || this.hasNativeCalls;
    this.parts.push({
      type: "finish",
      reason: isCall && !cutReasons.has(reason) ? "tool-calls" : reason,
      usage,
    });
  }

  /** Adds what was held back, after a fault. */
  flush(): void {
    this.scanner.end(true);
  }

  private choose(): WrittenCall[] {
    if (this.call.toolChoice === "none") return [];
    const { calls, reasoning, text, names, hasNativeCalls } = this;
    // A model that calls its tools may write the same calls beside that.
    if (hasNativeCalls && this.hasOwnTools) return [];
    const written =
      calls.length > 0 || hasNativeCalls ? calls : findReasonedCalls(reasoning, text, names);
    const made = withoutRepeats(written);
    return this.call.parallelToolCalls === false ? made.slice(0, 1) : made;
  }

  private newScanner(): CallScanner {
    return new CallScanner(this.names, {
      text: (text) => {
        this.text += text;
        this.parts.push({ type: "text-delta", text });
      },
      call: (call) => this.calls.push(call),
    });
  }
}

function streamPrompted(model: LanguageModel, call: LanguageModelCall): AsyncIterable<StreamPart> {
  const { toolChoice: _choice, parallelToolCalls: _parallel, ...rest } = call;
  const messages = renderMessages(call.messages);
  if (offeredTools(call).length === 0) return model.stream({ ...omitTools(rest), messages });
  const prompted = { ...omitTools(rest), system: describeTools(call), messages };
  return separateCalls(model.stream(prompted), call, false);
}

const streamOwn = (model: LanguageModel, call: LanguageModelCall): AsyncIterable<StreamPart> =>
  offeredTools(call).length === 0
    ? model.stream(call)
    : separateCalls(model.stream(call), call, true);

async function* separateCalls(
  parts: AsyncIterable<StreamPart>,
  call: LanguageModelCall,
  hasOwnTools: boolean,
): AsyncIterable<StreamPart> {
  const answer = new PromptedAnswer(new ToolNames(call.tools ?? []), call, hasOwnTools);
  try {
    for await (const part of parts) {
      if (part.type === "finish") answer.finish(part.reason, part.usage);
      else answer.read(part);
      // Ends the request, so the model's own count never comes.
      if (answer.isOver && part.type !== "finish") answer.finish("stop", null);
      yield* answer.take();
      if (answer.isOver) return;
    }
  } catch (fault) {
    answer.flush();
    yield* answer.take();
    throw fault;
  }
}

function omitTools<Call extends Partial<LanguageModelCall>>(call: Call): Omit<Call, "tools"> {
  const { tools: _tools, ...rest } = call;
  return rest;
}

/** The model with another way to call tools. */
export const withToolCalling = (
  model: LanguageModel,
  calling: Pick<LanguageModel, "supportsTools" | "stream">,
): LanguageModel => ({
  provider: model.provider,
  model: model.model,
  get contextWindow() {
    return model.contextWindow;
  },
  answerTokens: model.answerTokens,
  get parameters() {
    return model.parameters;
  },
  ...(model.prepare && { prepare: (signal: AbortSignal) => model.prepare!(signal) }),
  supportsImages: (signal) => model.supportsImages(signal),
  ...calling,
});

/**
 * The model, with tools described in its prompt and calls read from its text, for models and
 * servers without tool calling. Calls come after the text, just before the finish. What the model
 * thinks or says about calls isn't one; arguments are repaired and fitted to the schema, but
 * callers must still validate them.
 */
export const withPromptedTools = (model: LanguageModel): LanguageModel =>
  withToolCalling(model, {
    supportsTools: () => Promise.resolve(true),
    stream: (call) => streamPrompted(model, call),
  });

/**
 * The model with its own tools. Calls that it writes as text all the same are made, too, and are
 * never part of the text, so that nobody sees what would have to be withdrawn.
 */
export const withWrittenCalls = (model: LanguageModel): LanguageModel =>
  withToolCalling(model, {
    supportsTools: (signal) => model.supportsTools(signal),
    stream: (call) => streamOwn(model, call),
  });

/** Without repeated calls, which small models write. */
function withoutRepeats(calls: readonly WrittenCall[]): WrittenCall[] {
  const seen = new Set<string>();
  return calls.filter(({ name, input }) => {
    const key = `${name} ${input}`;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

/** The id of a call that has none. */
const newCallId = (): string => `call_${randomUUID()}`;

/** gpt-oss addresses its calls, so they are meant wherever a server put them. */
const addressed = /<\|channel\|>\w+ to=/;

/** The calls in reasoning that count as made. */
function findReasonedCalls(reasoning: string, text: string, names: ToolNames): WrittenCall[] {
  const at = reasoning.search(addressed);
  if (at !== -1) return scanText(reasoning.slice(at), names).calls;
  return text.trim() === "" ? scanText(reasoning, names).calls : [];
}

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
const offeredTools = ({ tools = [], toolChoice }: LanguageModelCall): ToolDefinition[] =>
  tools.filter(({ name }) => typeof toolChoice !== "object" || name === toolChoice.tool);

/** The system text with a description of the tools, for a model that isn't told otherwise. */
function describeTools(call: LanguageModelCall): string {
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
function renderMessages(messages: readonly ModelMessage[]): ModelMessage[] {
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
