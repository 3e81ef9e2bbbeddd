import type {
  AssistantPart,
  FinishReason,
  LanguageModel,
  LanguageModelCall,
  ToolCallPart,
  Usage,
} from "@carrel/providers";
import type { AnswerDraft, AnswerOutput } from "./answer-draft.ts";
import { AnswerTooLongError } from "./answerer.ts";

/** A call that a model wrote; `input` is JSON, perhaps malformed. */
export interface WrittenCall {
  id: string;
  name: string;
  input: string;
  metadata?: ToolCallPart["metadata"];
}

/** One reply of a model, which has been added to the answer. */
export interface Reply {
  reason: FinishReason;
  usage: Usage | null;
  /** Whether it has more than reasoning and calls. */
  hasAnswer: boolean;
  calls: WrittenCall[];
  /** Text and reasoning as the model wants them back, in order; the calls follow them. */
  parts: Exclude<AssistantPart, { type: "tool-call" }>[];
}

/**
 * Has the model reply, and adds the reply's text to the draft and the output as it comes. Throws
 * provider errors, and AnswerTooLongError.
 *
 * @param o.onText called before the first text or call: from then on, the call can't be repeated
 * @param o.opening text to write before the reply's first text, to separate it from an earlier one
 */
export async function readReply(o: {
  model: LanguageModel;
  call: LanguageModelCall;
  draft: AnswerDraft;
  output: AnswerOutput;
  onText: () => void;
  opening?: string;
}): Promise<Reply> {
  const { draft, output, call } = o;
  const reply: Reply = { reason: "other", usage: null, hasAnswer: false, calls: [], parts: [] };
  let isWriting = false;
  for await (const part of o.model.stream(call)) {
    draft.firstTokenAt ??= performance.now();
    if (part.type === "finish") {
      reply.usage = part.usage;
      reply.reason = part.reason;
      break;
    }
    if (part.type === "tool-call-end") {
      o.onText();
      const { id, name, input, metadata } = part;
      reply.calls.push({ id, name, input, ...(metadata !== undefined && { metadata }) });
      continue;
    }
    if (part.type === "text-was-reasoning") {
      reply.hasAnswer = false;
      reply.parts = [{ type: "reasoning", text: textOf(reply) }];
      output.sendText(draft.text.textWasReasoning(), draft.text.takeChanges());
      continue;
    }
    if (part.type === "reasoning-end") {
      const last = reply.parts.at(-1);
      if (last?.type === "reasoning" && last.metadata === undefined) last.metadata = part.metadata;
      else reply.parts.push({ type: "reasoning", text: "", metadata: part.metadata });
      continue;
    }
    if (part.type !== "text-delta" && part.type !== "reasoning-delta") continue;
    if (!isWriting) {
      isWriting = true;
      o.onText();
      output.startWriting(draft.sources);
      if (o.opening !== undefined) output.sendText(draft.text.pushVerbatim(o.opening));
    }
    reply.hasAnswer ||= part.type === "text-delta" && part.text.trim() !== "";
    const isReasoning = part.type === "reasoning-delta";
    addText(reply, isReasoning ? "reasoning" : "text", part.text);
    const shown = isReasoning
      ? draft.text.pushReasoning(part.text)
      : draft.text.pushText(part.text);
    output.sendText(shown, draft.text.takeChanges());
    if (output.isFull) throw new AnswerTooLongError();
    call.signal.throwIfAborted();
  }
  output.sendText(draft.text.end(), draft.text.takeChanges());
  return reply;
}

const textOf = ({ parts }: Reply): string => parts.map(({ text }) => text).join("");

function addText({ parts }: Reply, type: "text" | "reasoning", text: string): void {
  const last = parts.at(-1);
  // Metadata ends a piece of reasoning.
  if (last?.type === type && !("metadata" in last)) last.text += text;
  else parts.push({ type, text });
}
