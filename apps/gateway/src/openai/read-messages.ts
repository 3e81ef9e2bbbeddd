import {
  CarrelError,
  type AnswerOverrides,
  type ChatCompletionMessage,
  type In,
  type ResponseInputItem,
  type ToolCall,
  type ToolExchange,
  type createResponse,
} from "@carrel/contracts";

/** One message of a conversation, whichever protocol it came in. */
export interface ClientMessage {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  /** Data URLs or addresses. */
  images?: readonly string[];
  /** Tools that an assistant's message calls. */
  calls?: readonly ToolCall[];
  /** The call that a tool's result answers. */
  callId?: string;
}

/** A conversation in the form in which Carrel asks questions. */
export interface ClientConversation {
  question: string;
  images: readonly string[];
  /** null: the workspace's prompt. */
  systemPrompt: string | null;
  history: NonNullable<AnswerOverrides["history"]>;
  /** What tools have done for the question. */
  exchange: ToolExchange;
}

const longestInstructions = 100_000;
const longestHistory = 1_000;
/** For models that insist on a question before each answer. */
const noQuestion = "(You start the conversation.)";
const paragraphs = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== "").join("\n\n");

/**
 * The user's last message is the question; only tool calls and their results may follow it, or else
 * `openai.question-missing`. Anything the user wrote without getting an answer belongs to the next
 * question. In earlier exchanges, calls and results become text.
 */
export function readConversation(messages: readonly ClientMessage[]): ClientConversation {
  const systemPrompt = paragraphs(
    messages.filter(({ role }) => role === "system").map(({ text }) => text),
  );
  if (systemPrompt.length > longestInstructions)
    throw new CarrelError("openai.instructions-too-long", { characters: longestInstructions });
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[asked];
  const lastRole = messages.at(-1)?.role;
  if (question === undefined || (lastRole !== "user" && lastRole !== "tool"))
    throw new CarrelError("openai.question-missing");
  const { history, unanswered } = readHistory(messages.slice(0, asked));
  return {
    question: paragraphs([...unanswered, question.text]),
    images: question.images ?? [],
    systemPrompt: systemPrompt === "" ? null : systemPrompt,
    history: history.slice(-longestHistory),
    exchange: readExchange(messages.slice(asked + 1)),
  };
}

function readHistory(messages: readonly ClientMessage[]): {
  history: ClientConversation["history"];
  /** What the user wrote after the last answer. */
  unanswered: string[];
} {
  const history: ClientConversation["history"] = [];
  let questions: string[] = [];
  for (const message of messages) {
    const { role } = message;
    const text = describeMessage(message);
    if (role === "system" || text === "") continue;
    if (role === "user") {
      questions.push(text);
      continue;
    }
    const previous = history.at(-1);
    if (questions.length === 0 && previous !== undefined)
      previous.answer = paragraphs([previous.answer, text]);
    else history.push({ question: paragraphs(questions) || noQuestion, answer: text });
    questions = [];
  }
  return { history, unanswered: questions };
}

function describeMessage({ role, text, calls = [] }: ClientMessage): string {
  if (role === "tool") return `[Result: ${text}]`;
  return paragraphs([text, ...calls.map(({ name, input }) => `[Called ${name} with ${input}]`)]);
}

/** Every result must name its call. */
function readExchange(messages: readonly ClientMessage[]): ToolExchange {
  const exchange: ToolExchange = [];
  const names = new Map<string, string>();
  for (const { role, text, calls = [], callId = "" } of messages) {
    if (role === "tool") {
      const name = names.get(callId);
      if (name === undefined) throw new CarrelError("openai.tool-call-unknown", { id: callId });
      exchange.push({ role, id: callId, name, output: text });
    } else if (role === "assistant") {
      for (const { id, name } of calls) names.set(id, name);
      const previous = exchange.at(-1);
      // Calls made at the same time may come one by one.
      if (previous?.role === "assistant") {
        previous.text = paragraphs([previous.text, text]);
        previous.calls.push(...calls);
      } else exchange.push({ role, text, calls: [...calls] });
    }
  }
  return exchange;
}

export const readChatMessages = (messages: readonly ChatCompletionMessage[]): ClientMessage[] =>
  messages.map(({ role, content, tool_calls: calls, tool_call_id: callId }) => {
    const parts =
      typeof content === "string" ? [{ type: "text" as const, text: content }] : (content ?? []);
    const text = paragraphs(
      parts.flatMap((part) =>
        part.type === "text" ? part.text : part.type === "refusal" ? part.refusal : [],
      ),
    );
    switch (role) {
      case "tool":
      case "function":
        return { role: "tool", text, ...(callId != null && { callId }) };
      case "system":
      case "developer":
        return { role: "system", text };
      case "user":
        return {
          role,
          text,
          images: parts.flatMap((part) => (part.type === "image_url" ? part.image_url.url : [])),
        };
      case "assistant":
        return {
          role,
          text,
          calls: (calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
            id: id ?? "",
            name,
            input,
          })),
        };
    }
  });

type ResponseInput = Pick<In<typeof createResponse>, "input" | "instructions">;

export function readResponseInput({ input, instructions }: ResponseInput): ClientMessage[] {
  const items: ClientMessage[] =
    typeof input === "string" ? [{ role: "user", text: input }] : input.flatMap(readResponseItem);
  return instructions == null ? items : [{ role: "system", text: instructions }, ...items];
}

function readResponseItem(item: ResponseInputItem): ClientMessage[] {
  if ("role" in item) {
    const { text, images } = readResponseContent(item.content);
    if (item.role === "user") return [{ role: "user", text, images }];
    return [{ role: item.role === "assistant" ? "assistant" : "system", text }];
  }
  if (item.type === "function_call") {
    const { call_id: id, name, arguments: input } = item;
    return [{ role: "assistant", text: "", calls: [{ id, name, input }] }];
  }
  if (item.type === "function_call_output")
    return [{ role: "tool", text: readResponseContent(item.output).text, callId: item.call_id }];
  // A model's reasoning isn't sent back to it.
  return [];
}

type ResponseContent = Extract<ResponseInputItem, { role: string }>["content"];

function readResponseContent(content: ResponseContent): { text: string; images: string[] } {
  if (typeof content === "string") return { text: content, images: [] };
  const texts = content.flatMap((part) =>
    part.type === "refusal" ? part.refusal : part.type === "input_image" ? [] : part.text,
  );
  const images = content.flatMap((part) => (part.type === "input_image" ? part.image_url : []));
  return { text: paragraphs(texts), images };
}
