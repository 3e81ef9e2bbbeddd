import {
  splitSpans,
  type MetricsWire,
  type ResponseAnnotation,
  type ResponseCall,
  type ResponseMessage,
  type ResponseReasoning,
  type ResponseWire,
  type SourceWire,
  type ToolCall,
} from "@carrel/contracts";
import type { CollectedAnswer } from "../chat/collect-generation.ts";
import { annotate, type AnswerEvents } from "./answer-reader.ts";
import type { AnswerHead } from "./chat-completions.ts";

type Write = (type: string, fields: object) => Promise<void>;

const buildReasoning = (
  id: string,
  index: number,
  text: string,
  status: ResponseReasoning["status"] = "completed",
): ResponseReasoning => ({
  id: `rs_${id}_${index}`,
  type: "reasoning",
  status,
  summary: status === "in_progress" ? [] : [{ type: "summary_text", text }],
});

/** The events of one reasoning item, in OpenAI's order. */
class ReasoningEvents {
  private text = "";

  constructor(
    private readonly id: string,
    readonly index: number,
    private readonly write: Write,
  ) {}

  async begin(): Promise<void> {
    await this.write("response.output_item.added", {
      output_index: this.index,
      item: this.build("in_progress"),
    });
    const part = { type: "summary_text", text: "" };
    await this.write("response.reasoning_summary_part.added", { ...this.place, part });
  }

  async push(delta: string): Promise<void> {
    this.text += delta;
    await this.write("response.reasoning_summary_text.delta", { ...this.place, delta });
  }

  async end(): Promise<ResponseReasoning> {
    const { text, place } = this;
    const item = this.build("completed");
    await this.write("response.reasoning_summary_text.done", { ...place, text });
    const part = { type: "summary_text", text };
    await this.write("response.reasoning_summary_part.done", { ...place, part });
    await this.write("response.output_item.done", { output_index: this.index, item });
    return item;
  }

  private get place(): object {
    return { item_id: this.build("completed").id, output_index: this.index, summary_index: 0 };
  }

  private build(status: ResponseReasoning["status"]): ResponseReasoning {
    return buildReasoning(this.id, this.index, this.text, status);
  }
}

export interface ResponseHead extends AnswerHead {
  instructions: string | null;
  temperature: number | null;
  tools: readonly unknown[];
  toolChoice: unknown;
}

type Ending = Pick<ResponseWire, "status"> &
  Partial<Pick<ResponseWire, "error" | "incomplete_details" | "output" | "usage">>;

const describeEnd = (
  metrics: MetricsWire | null,
): Ending & { status: "completed" | "incomplete" } =>
  metrics?.finish_reason === "length"
    ? { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }
    : { status: "completed" };

function buildResponse(
  { id, created, model, instructions, temperature, tools, toolChoice }: ResponseHead,
  ending?: Ending,
): ResponseWire {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    instructions,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    temperature,
    tool_choice: toolChoice,
    tools: [...tools],
    top_p: null,
    usage: null,
    ...ending,
  };
}

const buildPart = (
  text: string,
  annotations: ResponseAnnotation[],
): ResponseMessage["content"][number] => ({ type: "output_text", text, annotations, logprobs: [] });

const buildMessage = (
  { id }: ResponseHead,
  status: ResponseMessage["status"],
  content: ResponseMessage["content"],
): ResponseMessage => ({ id: `msg_${id}`, type: "message", status, role: "assistant", content });

const buildCall = ({ id, name, input }: ToolCall): ResponseCall => ({
  id: `fc_${id}`,
  type: "function_call",
  status: "completed",
  call_id: id,
  name,
  arguments: input,
});

const buildUsage = (metrics: MetricsWire | null): ResponseWire["usage"] =>
  metrics && {
    input_tokens: metrics.prompt_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: metrics.completion_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: metrics.total_tokens,
  };

const buildError = (message: string): ResponseWire["error"] => ({ code: "server_error", message });

export function buildWholeResponse(
  head: ResponseHead,
  { text, reasoning, sources, metrics, error, toolCalls }: CollectedAnswer,
): ResponseWire {
  const { answer, reasoning: thoughts } = splitSpans(text, reasoning);
  const ending =
    error === null ? describeEnd(metrics) : { status: "failed" as const, error: buildError(error) };
  const part = buildPart(answer, annotate(answer, sources));
  return buildResponse(head, {
    ...ending,
    output: [
      ...thoughts.map((block, index) => buildReasoning(head.id, index, block.text)),
      // An answer with nothing but calls has no message.
      ...(answer === "" && toolCalls.length > 0
        ? []
        : [buildMessage(head, ending.status === "completed" ? "completed" : "incomplete", [part])]),
      ...toolCalls.map(buildCall),
    ],
    usage: buildUsage(metrics),
  });
}

interface NamedStream {
  send(data: string, id: undefined, event: string): Promise<void>;
}

/** The events of a streamed response, in OpenAI's order. */
export class ResponseEvents implements AnswerEvents {
  private next = 0;
  private whole = "";
  private annotations: ResponseAnnotation[] = [];
  /** In the order in which they started; the message is added when it ends. */
  private readonly output: (ResponseWire["output"][number] | null)[] = [];
  private thinking: ReasoningEvents | null = null;
  /** Where the message is in the output; null: it hasn't begun. */
  private messageIndex: number | null = null;

  constructor(
    private readonly head: ResponseHead,
    private readonly stream: NamedStream,
  ) {}

  async created(): Promise<void> {
    const response = buildResponse(this.head);
    await this.write("response.created", { response });
    await this.write("response.in_progress", { response });
  }

  async reasoning(piece: string): Promise<void> {
    if (this.thinking === null) {
      this.thinking = new ReasoningEvents(this.head.id, this.output.length, (type, fields) =>
        this.write(type, fields),
      );
      this.output.push(null);
      await this.thinking.begin();
    }
    await this.thinking.push(piece);
  }

  async text(piece: string): Promise<void> {
    await this.endReasoning();
    await this.begin();
    this.whole += piece;
    await this.write("response.output_text.delta", {
      ...this.place,
      content_index: 0,
      delta: piece,
      logprobs: [],
    });
  }

  async sources(text: string, sources: readonly SourceWire[]): Promise<void> {
    this.annotations = annotate(text, sources);
    if (text === "") return;
    for (const [index, annotation] of this.annotations.entries())
      await this.write("response.output_text.annotation.added", {
        ...this.place,
        content_index: 0,
        annotation_index: index,
        annotation,
      });
  }

  async refused(text: string): Promise<void> {
    await this.text(text);
    await this.complete(null, []);
  }

  async failed(message: string): Promise<void> {
    await this.endReasoning();
    if (this.messageIndex !== null)
      this.output[this.messageIndex] = buildMessage(this.head, "incomplete", [this.part]);
    const output = this.output.filter((item) => item !== null);
    await this.write("response.failed", {
      response: buildResponse(this.head, { status: "failed", error: buildError(message), output }),
    });
  }

  finished(metrics: MetricsWire, calls: readonly ToolCall[]): Promise<void> {
    return this.complete(metrics, calls);
  }

  private get place(): { item_id: string; output_index: number } {
    return { item_id: `msg_${this.head.id}`, output_index: this.messageIndex ?? 0 };
  }

  private get part(): ResponseMessage["content"][number] {
    return buildPart(this.whole, this.annotations);
  }

  private async begin(): Promise<void> {
    if (this.messageIndex !== null) return;
    this.messageIndex = this.output.length;
    this.output.push(null);
    await this.write("response.output_item.added", {
      output_index: this.messageIndex,
      item: buildMessage(this.head, "in_progress", []),
    });
    await this.write("response.content_part.added", {
      ...this.place,
      content_index: 0,
      part: buildPart("", []),
    });
  }

  private async complete(metrics: MetricsWire | null, calls: readonly ToolCall[]): Promise<void> {
    const ending = describeEnd(metrics);
    await this.endReasoning();
    if (this.messageIndex !== null || calls.length === 0) await this.completeMessage(ending.status);
    for (const call of calls)
      this.output.push(await this.addCall(buildCall(call), this.output.length));
    await this.write(`response.${ending.status}`, {
      response: buildResponse(this.head, {
        ...ending,
        output: this.output.filter((item) => item !== null),
        usage: buildUsage(metrics),
      }),
    });
  }

  private async endReasoning(): Promise<void> {
    if (this.thinking === null) return;
    this.output[this.thinking.index] = await this.thinking.end();
    this.thinking = null;
  }

  private async completeMessage(status: "completed" | "incomplete"): Promise<void> {
    await this.begin();
    const { place, part } = this;
    const item = buildMessage(this.head, status, [part]);
    await this.write("response.output_text.done", {
      ...place,
      content_index: 0,
      text: this.whole,
      logprobs: [],
    });
    await this.write("response.content_part.done", { ...place, content_index: 0, part });
    await this.write("response.output_item.done", { output_index: place.output_index, item });
    this.output[place.output_index] = item;
  }

  private async addCall(item: ResponseCall, index: number): Promise<ResponseCall> {
    const place = { item_id: item.id, output_index: index };
    await this.write("response.output_item.added", {
      output_index: index,
      item: { ...item, status: "in_progress", arguments: "" },
    });
    await this.write("response.function_call_arguments.delta", { ...place, delta: item.arguments });
    await this.write("response.function_call_arguments.done", {
      ...place,
      name: item.name,
      arguments: item.arguments,
    });
    await this.write("response.output_item.done", { output_index: index, item });
    return item;
  }

  private write(type: string, fields: object): Promise<void> {
    const event = { type, sequence_number: this.next++, ...fields };
    return this.stream.send(JSON.stringify(event), undefined, type);
  }
}
