import {
  CarrelError,
  attachGeneration,
  attachGenerationStream,
  startGeneration,
  streamChat,
  streamThreadChat,
  type Out,
  type StoredAttachment,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { AgentHandOff } from "../agent/agent-hand-off.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";
import { ChatImages } from "./chat-images.ts";
import { GenerationRelay, isCarrelFrame, isOver } from "./generation-relay.ts";
import { readClientInfo, readMessage, readThreadSlug, sendAbort } from "./read-question.ts";

/** Number of the last part the client received; anything else starts over. */
const readLastEventId = (header: string | string[] | undefined): number =>
  typeof header === "string" && /^\d{1,9}$/.test(header) ? Number(header) : 0;

type Started = Out<typeof startGeneration> | { websocketUUID: string };

@Injectable()
export class ChatRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly eventStreams: EventStreams,
    private readonly relay: GenerationRelay,
    private readonly images: ChatImages,
    private readonly handOff: AgentHandOff,
  ) {}

  @Route(streamChat)
  inDefaultThread(call: Call<typeof streamChat>): Promise<unknown> {
    // A thread belongs in the path; if it were ignored here, the question would end up in another
    // conversation.
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
    if (message === null) return sendAbort(reply, 400, { code: "chat.message-empty" });
    const { mode, replaces, fromStep, attachments = [], places, modelChoice, mentions } = input;
    const chosen = places || modelChoice ? { places, modelChoice, mentions } : null;
    const wantsAgent =
      replaces == null &&
      chosen === null &&
      (await this.handOff.isWanted(message, mode, { scope, request }));
    // A client that reads neither steps nor a socket can't be asked.
    const overrides = wantsAgent ? { asksPerson: false } : chosen;
    const asked = { threadSlug, message, mode, replaces, fromStep, overrides };
    const ask = async (stored: StoredAttachment[]): Promise<Started> => {
      const told = { attachments: stored, ...readClientInfo(request.headers) };
      const uuid = wantsAgent
        ? await this.handOff.create({ threadSlug, message, ...told }, scope)
        : null;
      if (uuid !== null) return { websocketUUID: uuid };
      return this.requests.request(
        startGeneration,
        { ...asked, ...told },
        { scope, idempotencyKey: requestKey(request) },
      );
    };
    const started = await (attachments.length > 0 ? this.images.keep(attachments, ask) : ask([]));
    const stream = this.eventStreams.start(request, reply);
    if ("websocketUUID" in started) {
      await this.handOff.announce(stream, started.websocketUUID);
      return undefined;
    }
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
        attachments,
      },
      // A client that sends a key may return for the answer.
      { cancelOnLeave: !stream.carrel && request.headers["idempotency-key"] === undefined },
    );
    return undefined;
  }
}
