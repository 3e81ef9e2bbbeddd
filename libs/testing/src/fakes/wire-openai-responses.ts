import { openAiErrorBody } from "./openai-error.ts";
import {
  countPromptTokens,
  lastUserText,
  splitInput,
  type FakeFinishReason,
  type FakeToolCall,
  type FakeUsage,
  type FakeWire,
  type FakeWriter,
} from "./wire.ts";

// Based on OpenAI's published API definition (openai-openapi v2.3.0): ResponseStreamEvent,
// Response, OutputItem, ResponseUsage.

const created = 1_763_689_200;
const convertUsage = (usage: FakeUsage) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cachedTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
});

type Status = "in_progress" | "completed" | "incomplete";
const finalStatus = (reason: FakeFinishReason): Status =>
  reason === "stop" || reason === "tool-calls" ? "completed" : "incomplete";

function responseObject(
  model: string,
  status: Status,
  output: object[],
  reason: FakeFinishReason,
  usage: FakeUsage | null,
) {
  return {
    id: "resp_fake",
    object: "response",
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details:
      status === "incomplete"
        ? { reason: reason === "content-filter" ? "content_filter" : "max_output_tokens" }
        : null,
    instructions: null,
    max_output_tokens: null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: usage ? convertUsage(usage) : null,
    user: null,
    metadata: {},
  };
}

const outputText = (text: string) => ({
  type: "output_text",
  annotations: [],
  logprobs: [],
  text,
});
const messageItem = (status: Status, text: string) => ({
  id: "msg_fake",
  type: "message",
  status,
  role: "assistant",
  content: status === "completed" ? [outputText(text)] : [],
});
const callItem = ({ id, name }: FakeToolCall, status: Status, input: string) => ({
  id: `fc_${id}`,
  type: "function_call",
  status,
  call_id: id,
  name,
  arguments: input,
});
const reasoningItem = (text: string, isEncrypted: boolean) => ({
  id: "rs_fake",
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
  ...(isEncrypted && { encrypted_content: "Z0FBQUFBQm8=" }),
});

/** Opens the reasoning and message items with their first piece; each ends when the next begins. */
class ResponseWriter implements FakeWriter {
  private sequence = 0;
  private readonly output: object[] = [];
  private open: { kind: "reasoning" | "message"; text: string } | null = null;

  constructor(
    private readonly model: string,
    private readonly isEncrypted: boolean,
  ) {}

  start(): string {
    const response = responseObject(this.model, "in_progress", [], "stop", null);
    return (
      this.event("response.created", { response }) +
      this.event("response.in_progress", { response })
    );
  }

  reasoning(text: string): string {
    const opening = this.begin("reasoning", () =>
      this.event("response.output_item.added", {
        output_index: this.output.length,
        item: reasoningItem("", false),
      }),
    );
    this.open!.text += text;
    return (
      opening +
      this.event("response.reasoning_summary_text.delta", {
        item_id: "rs_fake",
        output_index: this.output.length,
        summary_index: 0,
        delta: text,
      })
    );
  }

  text(token: string): string {
    const opening = this.beginMessage();
    this.open!.text += token;
    return (
      opening +
      this.event("response.output_text.delta", { ...this.place(), delta: token, logprobs: [] })
    );
  }

  toolCall(call: FakeToolCall): string {
    const closing = this.close();
    const output_index = this.output.length;
    const item_id = `fc_${call.id}`;
    const input = JSON.stringify(call.input);
    const item = callItem(call, "completed", input);
    this.output.push(item);
    return (
      closing +
      this.event("response.output_item.added", {
        output_index,
        item: callItem(call, "in_progress", ""),
      }) +
      splitInput(call)
        .map((delta) =>
          this.event("response.function_call_arguments.delta", { item_id, output_index, delta }),
        )
        .join("") +
      this.event("response.function_call_arguments.done", {
        item_id,
        output_index,
        arguments: input,
      }) +
      this.event("response.output_item.done", { output_index, item })
    );
  }

  error(message: string): string {
    return this.event("error", { code: "server_error", message, param: null });
  }

  end(reason: FakeFinishReason, usage: FakeUsage | null): string {
    const status = finalStatus(reason);
    const hasAnswer = this.open?.kind === "message" || this.output.length > 0;
    const closing = (hasAnswer ? "" : this.beginMessage()) + this.close();
    return (
      closing +
      this.event(`response.${status}`, {
        response: responseObject(this.model, status, this.output, reason, usage),
      })
    );
  }

  private event(type: string, fields: Record<string, unknown>): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.sequence++, ...fields })}\n\n`;
  }

  private place() {
    return { item_id: "msg_fake", output_index: this.output.length, content_index: 0 };
  }

  private begin(kind: "reasoning" | "message", write: () => string): string {
    if (this.open?.kind === kind) return "";
    const closing = this.close();
    this.open = { kind, text: "" };
    return closing + write();
  }

  private beginMessage(): string {
    return this.begin(
      "message",
      () =>
        this.event("response.output_item.added", {
          output_index: this.output.length,
          item: messageItem("in_progress", ""),
        }) + this.event("response.content_part.added", { ...this.place(), part: outputText("") }),
    );
  }

  private close(): string {
    if (this.open === null) return "";
    const { kind, text } = this.open;
    this.open = null;
    const item =
      kind === "message" ? messageItem("completed", text) : reasoningItem(text, this.isEncrypted);
    const endOfText =
      kind === "message"
        ? this.event("response.output_text.done", { ...this.place(), text, logprobs: [] }) +
          this.event("response.content_part.done", { ...this.place(), part: outputText(text) })
        : this.event("response.reasoning_summary_text.done", {
            item_id: "rs_fake",
            output_index: this.output.length,
            summary_index: 0,
            text,
          });
    const output_index = this.output.length;
    this.output.push(item);
    return endOfText + this.event("response.output_item.done", { output_index, item });
  }
}

export const openAiResponsesWire: FakeWire = {
  protocol: "openai-responses",
  contentType: "text/event-stream; charset=utf-8",
  malformed: 'event: response.output_text.delta\ndata: {"type":"response.outp\n\n',
  errorBody: openAiErrorBody,
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    lastMessage: typeof body.input === "string" ? body.input : lastUserText(body.input),
    promptTokens: countPromptTokens([body.instructions, body.input]),
    includeUsage: true,
    includeEncryptedReasoning:
      Array.isArray(body.include) && body.include.includes("reasoning.encrypted_content"),
  }),
  writer: ({ model, includeEncryptedReasoning = false }) =>
    new ResponseWriter(model, includeEncryptedReasoning),
  whole: ({ model, includeEncryptedReasoning = false }, answer) => {
    const { text, reasoning, toolCalls, reason, usage } = answer;
    return responseObject(
      model,
      finalStatus(reason),
      [
        ...(reasoning ? [reasoningItem(reasoning, includeEncryptedReasoning)] : []),
        ...(text || toolCalls.length === 0 ? [messageItem("completed", text)] : []),
        ...toolCalls.map((call) => callItem(call, "completed", JSON.stringify(call.input))),
      ],
      reason,
      usage,
    );
  },
};
