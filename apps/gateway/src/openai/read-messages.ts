import {
  CarrelError,
  type AnswerOverrides,
  type ChatCompletionMessage,
  type In,
  type ResponseInputItem,
  type createResponse,
} from "@carrel/contracts";

/** One message of a conversation, whichever protocol it came in. */
export interface ClientMessage {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  /** Data URLs or addresses. */
  images: readonly string[];
}

/** A conversation as Carrel asks questions. */
export interface ClientConversation {
  question: string;
  images: readonly string[];
  /** null: the workspace's. */
  systemPrompt: string | null;
  history: NonNullable<AnswerOverrides["history"]>;
}

const longestInstructions = 100_000;
const longestHistory = 1_000;
/** For models that insist on a question before each answer. */
const noQuestion = "(You start the conversation.)";
const paragraphs = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== "").join("\n\n");

/**
 * The last message is the question; `openai.question-missing` if it isn't the user's. What the user
 * wrote without an answer belongs to the next question, and results of tools to the answer that
 * asked for them.
 */
export function readConversation(messages: readonly ClientMessage[]): ClientConversation {
  const last = messages.at(-1);
  if (last?.role !== "user" || last.text.trim() === "")
    throw new CarrelError("openai.question-missing");
  const systemPrompt = paragraphs(
    messages.filter(({ role }) => role === "system").map(({ text }) => text),
  );
  if (systemPrompt.length > longestInstructions)
    throw new CarrelError("openai.instructions-too-long", { characters: longestInstructions });
  const history: ClientConversation["history"] = [];
  let questions: string[] = [];
  for (const { role, text } of messages.slice(0, -1)) {
    if (role === "system" || text.trim() === "") continue;
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
  return {
    question: paragraphs([...questions, last.text]),
    images: last.images,
    systemPrompt: systemPrompt === "" ? null : systemPrompt,
    history: history.slice(-longestHistory),
  };
}

const describeCall = (name: string, input: string): string => `[Called ${name} with ${input}]`;
const describeResult = (text: string): string => `[Result: ${text}]`;

export const readChatMessages = (messages: readonly ChatCompletionMessage[]): ClientMessage[] =>
  messages.map(({ role, content, tool_calls: calls }) => {
    const parts =
      typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const text = paragraphs(
      (parts ?? []).flatMap((part) =>
        part.type === "text" ? part.text : part.type === "refusal" ? part.refusal : [],
      ),
    );
    const images = (parts ?? []).flatMap((part) =>
      part.type === "image_url" ? part.image_url.url : [],
    );
    if (role === "tool" || role === "function")
      return { role: "tool", text: describeResult(text), images: [] };
    if (role === "system" || role === "developer") return { role: "system", text, images: [] };
    if (role === "user") return { role, text, images };
    const described = (calls ?? []).map((call) =>
      describeCall(call.function.name, call.function.arguments),
    );
    return { role, text: paragraphs([text, ...described]), images: [] };
  });

type ResponseInput = Pick<In<typeof createResponse>, "input" | "instructions">;

export function readResponseInput({ input, instructions }: ResponseInput): ClientMessage[] {
  const items: ClientMessage[] =
    typeof input === "string"
      ? [{ role: "user", text: input, images: [] }]
      : input.flatMap(readResponseItem);
  return instructions == null
    ? items
    : [{ role: "system", text: instructions, images: [] }, ...items];
}

function readResponseItem(item: ResponseInputItem): ClientMessage[] {
  if ("role" in item) {
    const { text, images } = readResponseContent(item.content);
    if (item.role === "user") return [{ role: "user", text, images }];
    return [{ role: item.role === "assistant" ? "assistant" : "system", text, images: [] }];
  }
  if (item.type === "function_call")
    return [{ role: "assistant", text: describeCall(item.name, item.arguments), images: [] }];
  if (item.type === "function_call_output")
    return [
      { role: "tool", text: describeResult(readResponseContent(item.output).text), images: [] },
    ];
  // What a model thought isn't repeated to it.
  return [];
}

type ResponseContent = Extract<ResponseInputItem, { role: string }>["content"];

function readResponseContent(content: ResponseContent): Pick<ClientMessage, "text" | "images"> {
  if (typeof content === "string") return { text: content, images: [] };
  const texts = content.flatMap((part) =>
    part.type === "refusal" ? part.refusal : part.type === "input_image" ? [] : part.text,
  );
  const images = content.flatMap((part) => (part.type === "input_image" ? part.image_url : []));
  return { text: paragraphs(texts), images };
}
