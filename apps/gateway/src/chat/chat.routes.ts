import { randomUUID } from "node:crypto";
import {
  attachGeneration,
  attachGenerationStream,
  CarrelError,
  renderFault,
  startGeneration,
  streamChat,
  streamThreadChat,
  type In,
  type KnownFault,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { readThreadSlug } from "../document/thread-slug.ts";
import { setFault } from "../http/fault-header.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-streams.ts";
import { ChatImages } from "./chat-images.ts";
import { GenerationRelay, isCarrelFrame, isOver } from "./generation-relay.ts";

const longestMessage = 200_000;
/** Number of the last part the client received; anything else starts over. */
const readLastEventId = (header: string | string[] | undefined): number =>
  typeof header === "string" && /^\d{1,9}$/.test(header) ? Number(header) : 0;

@Injectable()
export class ChatRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly eventStreams: EventStreams,
    private readonly relay: GenerationRelay,
    private readonly images: ChatImages,
  ) {}

  @Route(streamChat)
  inDefaultThread(call: Call<typeof streamChat>): Promise<unknown> {
    // A thread belongs in the path; ignored, the question would end up in another conversation.
    if (readThreadSlug(call.input.threadSlug) !== null) throw new CarrelError("thread.not-found");
    return this.start(call, null);
  }

  @Route(streamThreadChat)
  inThread(call: Call<typeof streamThreadChat>): Promise<unknown> {
    return this.start(call, call.input.threadSlug ?? null);
  }

  /**
   * Attaches from any tab, device or replica, after the part given by Last-Event-ID; disconnecting
   * only detaches.
   */
  @Route(attachGenerationStream)
  async attach({
    input,
    scope,
    request,
    reply,
  }: Call<typeof attachGenerationStream>): Promise<void> {
    // Unknown and foreign threads must fail before the response becomes a stream.
    const { state } = await this.requests.request(
      attachGeneration,
      { generationId: input.id },
      { scope },
    );
    const stream = this.eventStreams.start(request, reply);
    await this.relay.run(
      {
        generationId: input.id,
        scope,
        after: readLastEventId(request.headers["last-event-id"]),
        stream,
        isOver: isOver(state),
      },
      { cancelOnLeave: false },
    );
  }

  private async start(
    { input, scope, request, reply }: Call<typeof streamChat>,
    threadSlug: string | null,
  ): Promise<unknown> {
    const message = readMessage(input.message);
    if (message === null) {
      const fault: KnownFault = { code: "chat.message-empty" };
      setFault(reply, fault);
      // The wire's specific body for this error (wire-contract 4.1).
      return reply.code(400).send({
        id: randomUUID(),
        type: "abort",
        textResponse: null,
        sources: [],
        close: true,
        error: renderFault(fault),
      });
    }
    const { mode, replaces } = input;
    const started = await this.images.keep(input.attachments ?? [], async (attachments) => {
      const result = await this.requests.request(
        startGeneration,
        { threadSlug, message, attachments, mode, replaces, ...readClientInfo(request.headers) },
        { scope, idempotencyKey: requestKey(request) },
      );
      return { result, isUsed: result.generationId !== null };
    });
    const stream = this.eventStreams.start(request, reply);
    if (started.generationId === null) {
      for (const frame of started.frames.map((each) => JSON.stringify(each)))
        if (stream.carrel || !isCarrelFrame(frame)) await stream.send(frame);
      stream.end();
      return undefined;
    }
    await this.relay.run(
      {
        generationId: started.generationId,
        scope,
        after: 0,
        stream,
        attachments: input.attachments,
      },
      // A client that sends a key may come back for the answer.
      { cancelOnLeave: !stream.carrel && request.headers["idempotency-key"] === undefined },
    );
    return undefined;
  }
}

/** For dates in prompts; malformed headers are not passed on. */
function readClientInfo(headers: Call["request"]["headers"]): {
  timeZone?: string;
  locale?: string;
} {
  const [timeZone, locale] = [headers["x-timezone"], headers["x-language"]];
  return {
    ...(typeof timeZone === "string" && /^[A-Za-z0-9_+/-]{1,64}$/.test(timeZone) && { timeZone }),
    ...(typeof locale === "string" && /^[A-Za-z0-9-]{1,35}$/.test(locale) && { locale }),
  };
}

/** null for what the wire considers empty: blank, absent or not text. */
function readMessage(message: In<typeof streamChat>["message"]): string | null {
  if (typeof message !== "string" || message.trim() === "") return null;
  if (Buffer.byteLength(message) > longestMessage)
    throw new CarrelError("chat.message-too-long", { kilobytes: 200 });
  return message;
}
