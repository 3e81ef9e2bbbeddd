import { randomUUID } from "node:crypto";
import {
  CarrelError,
  startGeneration,
  type ClientOutputFormat,
  type ClientTool,
  type ClientToolChoice,
  type Fault,
  type In,
  type Out,
  type createChatCompletion,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { WorkspaceScopes } from "../access/workspace-scopes.ts";
import { ChatImages } from "../chat/chat-images.ts";
import { GenerationCollector, type CollectedAnswer } from "../chat/collect-generation.ts";
import { GenerationRelay, isCarrelFrame } from "../chat/generation-relay.ts";
import { readClientInfo, readMessage } from "../chat/read-question.ts";
import { requestKey } from "../http/request-key.ts";
import type { Call } from "../http/route.ts";
import type { EventStream } from "../stream/event-stream.ts";
import { AnswerReader, type AnswerEvents } from "./answer-reader.ts";
import { readConversation, type ClientMessage } from "./read-messages.ts";

type OpenAiCall = Pick<Call, "request" | "reply" | "scope">;
interface Options extends Pick<
  In<typeof createChatCompletion>,
  "model" | "temperature" | "parallel_tool_calls"
> {
  tools: ClientTool[];
  toolChoice: ClientToolChoice | null;
  outputFormat: ClientOutputFormat | null;
  maxTokens: number | null;
}

export interface AskedQuestion {
  scope: WorkspaceScope;
  started: Out<typeof startGeneration>;
  id: string;
  images: Attachments;
}
type Attachments = { name: string; mime: string; contentString: string }[];

const mostImages = 20;

/**
 * Asks questions for clients of OpenAI's protocol, which send the conversation with each question.
 */
@Injectable()
export class OpenAiQuestions {
  constructor(
    private readonly workspaces: WorkspaceScopes,
    private readonly requests: RequestClient,
    private readonly images: ChatImages,
    private readonly collector: GenerationCollector,
    private readonly relay: GenerationRelay,
  ) {}

  /** WORKSPACE_NOT_FOUND for unknown models and for those that the key may not use. */
  async ask(
    {
      model,
      temperature,
      tools,
      toolChoice,
      parallel_tool_calls: parallelToolCalls,
      outputFormat,
      maxTokens,
    }: Options,
    messages: readonly ClientMessage[],
    { request, scope: { principal, address, language } }: OpenAiCall,
  ): Promise<AskedQuestion> {
    const found = await this.workspaces.resolve(principal, model);
    const scope = { ...found, ...(address && { address }), ...(language && { language }) };
    const { question, images, systemPrompt, history, exchange } = readConversation(messages);
    const message = readMessage(question);
    if (message === null) throw new CarrelError("openai.question-missing");
    const attachments = readImages(images);
    const started = await this.images.keep(attachments, (stored) =>
      this.requests.request(
        startGeneration,
        {
          threadSlug: null,
          // Requests don't depend on earlier ones and may run at the same time, so each has its
          // own.
          conversation: { channel: "openai", sessionId: randomUUID() },
          message,
          attachments: stored,
          overrides: {
            systemPrompt,
            history,
            temperature: temperature ?? null,
            maxTokens,
            ...(tools.length > 0 && { tools, toolChoice, parallelToolCalls }),
            ...(outputFormat !== null && { outputFormat }),
            ...(exchange.length > 0 && { exchange }),
          },
          ...readClientInfo(request.headers),
        },
        { scope, idempotencyKey: requestKey(request) },
      ),
    );
    return { scope, started, id: started.generationId ?? randomUUID(), images: attachments };
  }

  /** Throws if there is no answer at all. */
  async collect(
    { started, scope, images }: AskedQuestion,
    reply: FastifyReply,
  ): Promise<CollectedAnswer> {
    const answer = await this.collector.collect(started, { scope, reply }, images);
    if (answer.error !== null && answer.text === "")
      throw CarrelError.fromFault((answer.fault ?? { code: "generation.failed" }) as Fault);
    return answer;
  }

  async stream(
    { started, scope, images }: AskedQuestion,
    stream: EventStream,
    { events, cancelOnLeave }: { events: AnswerEvents; cancelOnLeave: boolean },
  ): Promise<void> {
    const reader = new AnswerReader(stream, events);
    const { generationId, frames } = started;
    if (generationId === null) {
      for (const frame of frames.map((each) => JSON.stringify(each)))
        if (!isCarrelFrame(frame)) await reader.send(frame);
      reader.end();
      return;
    }
    await this.relay.run(
      { generationId, scope, after: 0, stream: reader, attachments: images },
      { cancelOnLeave },
    );
  }
}

/** Images are never fetched: an address could point into the instance's network. */
function readImages(urls: readonly string[]): Attachments {
  if (urls.length > mostImages)
    throw new CarrelError("openai.too-many-images", { limit: mostImages });
  return urls.map((url, index) => {
    const mime = /^data:([^,;]{1,100});base64,/i.exec(url)?.[1];
    if (mime === undefined) throw new CarrelError("openai.image-not-inline");
    return { name: `image-${index + 1}`, mime, contentString: url };
  });
}
