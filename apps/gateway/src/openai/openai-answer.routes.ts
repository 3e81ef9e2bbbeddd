import {
  CarrelError,
  createChatCompletion,
  createResponse,
  type ChatCompletion,
  type ClientOutputFormat,
  type ClientTool,
  type ClientToolChoice,
  type In,
  type ResponseWire,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendAbort } from "../chat/read-question.ts";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";
import { usesOpenAiPackage } from "./answer-reader.ts";
import { ChatCompletionEvents, buildChatCompletion } from "./chat-completions.ts";
import { OpenAiQuestions } from "./openai-questions.ts";
import { readChatMessages, readResponseInput } from "./read-messages.ts";
import { ResponseEvents, buildWholeResponse } from "./responses.ts";

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

const readChatTools = ({ tools, tool_choice: choice }: ChatInput): ReadTools => ({
  tools: (tools ?? []).map((tool) => readTool(tool.function)),
  toolChoice:
    choice == null || typeof choice === "string"
      ? (choice ?? null)
      : { tool: choice.function.name },
});

const readResponseTools = ({ tools, tool_choice: choice }: ResponseInput): ReadTools => ({
  tools: (tools ?? []).map(readTool),
  toolChoice:
    choice == null || typeof choice === "string" ? (choice ?? null) : { tool: choice.name },
});

function readChatFormat({
  response_format: format,
}: Pick<ChatInput, "response_format">): ClientOutputFormat | null {
  return format?.type === "json_schema" ? format.json_schema : null;
}

function readResponseFormat({ text }: Pick<ResponseInput, "text">): ClientOutputFormat | null {
  const format = text?.format;
  return format?.type === "json_schema" ? { name: format.name, schema: format.schema } : null;
}

/** Questions in OpenAI's protocols (wire-contract 9.6). */
@Injectable()
export class OpenAiAnswerRoutes {
  constructor(
    private readonly questions: OpenAiQuestions,
    private readonly eventStreams: EventStreams,
  ) {}

  @Route(createChatCompletion)
  async completeChat(
    call: Call<typeof createChatCompletion>,
  ): Promise<ChatCompletion | FastifyReply | void> {
    const { input, request, reply } = call;
    // Existing clients expect this refusal in the shape of a stream frame.
    const { role } = input.messages.at(-1)!;
    if (role !== "user" && role !== "tool")
      return sendAbort(reply, 400, { code: "openai.question-missing" });
    const asked = await this.questions.ask(
      {
        ...input,
        ...readChatTools(input),
        outputFormat: readChatFormat(input),
        maxTokens: input.max_completion_tokens ?? input.max_tokens ?? null,
      },
      readChatMessages(input.messages),
      call,
    );
    const head = { id: asked.id, created: currentSecond(), model: asked.scope.workspace.slug };
    if (input.stream !== true)
      return buildChatCompletion(head, await this.questions.collect(asked, reply));
    const stream = this.eventStreams.start(request, reply);
    const events = new ChatCompletionEvents(
      head,
      {
        exact: usesOpenAiPackage(request),
        usageApart: input.stream_options?.include_usage === true,
      },
      stream,
    );
    await this.questions.stream(asked, stream, { events, cancelOnLeave: !returns(request) });
  }

  @Route(createResponse)
  async respond(call: Call<typeof createResponse>): Promise<ResponseWire | void> {
    const { input, request, reply } = call;
    refuseState(input);
    const asked = await this.questions.ask(
      {
        ...input,
        ...readResponseTools(input),
        outputFormat: readResponseFormat(input),
        maxTokens: input.max_output_tokens ?? null,
      },
      readResponseInput(input),
      call,
    );
    const head = {
      id: asked.id,
      created: currentSecond(),
      model: asked.scope.workspace.slug,
      instructions: input.instructions ?? null,
      temperature: input.temperature ?? null,
      tools: input.tools ?? [],
      toolChoice: input.tool_choice ?? "auto",
    };
    if (input.stream !== true)
      return buildWholeResponse(head, await this.questions.collect(asked, reply));
    const stream = this.eventStreams.start(request, reply);
    const events = new ResponseEvents(head, stream);
    await events.created();
    await this.questions.stream(asked, stream, { events, cancelOnLeave: !returns(request) });
  }
}

const currentSecond = (): number => Math.floor(Date.now() / 1_000);

/** A client that sends a key may return for the answer. */
const returns = ({ headers }: FastifyRequest): boolean => headers["idempotency-key"] !== undefined;

/** Responses aren't kept, so later requests can't refer to them. */
function refuseState(input: Call<typeof createResponse>["input"]): void {
  const field =
    input.previous_response_id != null
      ? "previous_response_id"
      : input.conversation != null
        ? "conversation"
        : input.background === true
          ? "background"
          : null;
  if (field !== null) throw new CarrelError("openai.field-unsupported", { field });
}
