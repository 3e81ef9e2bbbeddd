import { randomInt, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ProcessConfig } from "@carrel/config";
import {
  type AnswerOverrides,
  CarrelError,
  type ChatMode,
  chatModes,
  type ChatResult,
  clipText,
  type Conversation,
  deleteParsedFiles,
  type Fault,
  type FaultWire,
  type In,
  type KeyQuestion,
  type KnownFault,
  type Out,
  registerParsedFile,
  renderFault,
  resetHistory,
  type Scope,
  startGeneration,
  type streamChatByKey,
  type streamChatInThreadByKey,
  type StreamedKeyQuestion,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { BLOB_STORE, TooLargeError, putContent, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { ChatImages } from "../chat/chat-images.ts";
import { GenerationCollector } from "../chat/collect-generation.ts";
import { GenerationRelay, isCarrelFrame } from "../chat/generation-relay.ts";
import { readClientInfo, readMessage } from "../chat/read-question.ts";
import { DocumentWait, unreadable } from "../document/document-wait.ts";
import { cleanFileName } from "../document/path-parts.ts";
import { mapError } from "../http/error-map.ts";
import { setFault } from "../http/fault-header.ts";
import { requestKey } from "../http/request-key.ts";
import type { Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";
import { AgentReply, plainAnswer } from "./agent-reply.ts";
import { ApiFrames } from "./api-frames.ts";

type Attachment = NonNullable<KeyQuestion["attachments"]>[number];

const documentMime = "application/anythingllm-document";
const isDocument = ({ mime }: Attachment): boolean => mime.trim() === documentMime;

/** No thread has such an ID, so files under one belong to a single question. */
const [lowestId, highestId] = [2 ** 30, 2 ** 31 - 1];

/** What a question needs to know about its documents. */
interface AttachedFiles {
  /** ID under which the files are found; null if there are none. */
  filesOf: number | null;
  /** Deletes them; call it when the answer has ended. */
  release(): Promise<void>;
}

/** Documents attached to a question from an API client: read as files, for this question only. */
@Injectable()
export class AttachedDocuments {
  constructor(
    private readonly requests: RequestClient,
    private readonly wait: DocumentWait,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once their texts have been read. Throws if one of them is unreadable. */
  async read(
    documents: readonly Attachment[],
    scope: WorkspaceScope,
    { key, signal }: { key: string; signal: AbortSignal },
  ): Promise<AttachedFiles> {
    if (documents.length === 0) return { filesOf: null, release: () => Promise.resolve() };
    const threadId = randomInt(lowestId, highestId);
    const fileIds: number[] = [];
    const release = async (): Promise<void> => {
      if (fileIds.length === 0) return;
      // Anything left behind is deleted once a day, with the files of missing threads.
      await this.requests
        .request(deleteParsedFiles, { slug: scope.workspace.slug, fileIds }, { scope })
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, "couldn't delete the files of a question"),
        );
    };
    try {
      const documentIds: string[] = [];
      for (const [index, document] of documents.entries()) {
        const registered = await this.register(document, threadId, scope, `${key}:${index}`);
        fileIds.push(registered.id);
        documentIds.push(registered.documentId);
      }
      const outcomes = await this.wait.forEnd(documentIds, { ...scope, workspace: null }, signal);
      const failed = outcomes.find(({ state }) => state === "failed");
      if (failed !== undefined) throw unreadable(failed.reason);
      return { filesOf: threadId, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  private async register(
    { name, contentString }: Attachment,
    threadId: number,
    scope: WorkspaceScope,
    idempotencyKey: string,
  ): Promise<{ id: number; documentId: string }> {
    const limit = this.config.CARREL_MAX_UPLOAD;
    const base64 = contentString.replace(/^data:[^,]{0,200},/i, "");
    try {
      const { key, sha256, bytes } = await putContent(
        this.blobs,
        Readable.from([Buffer.from(base64, "base64")]),
        limit,
      );
      return await this.requests.request(
        registerParsedFile,
        { threadId, blobKey: key, sha256, bytes, filename: cleanFileName(name), mime: null },
        { scope, idempotencyKey },
      );
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      throw new CarrelError("upload.too-large", { megabytes: Math.floor(limit / 1_000_000) });
    }
  }
}

export type KeyCall = Pick<Call, "request" | "reply" | "signal"> & {
  input: StreamedKeyQuestion;
  scope: Scope;
};
/** Where a question is asked: on whose behalf, and in which thread or conversation. */
export interface KeyPlace {
  scope: WorkspaceScope;
  threadSlug: string | null;
  conversation: Conversation | null;
}
interface Started {
  started: Out<typeof startGeneration>;
  /** Call it when the answer has ended. */
  release(): Promise<void>;
}

const historyReset: KnownFault = { code: "notice.history-reset" };

/** Asks questions for API clients, which expect answers in a different form (wire-contract 9.4). */
@Injectable()
export class KeyQuestions {
  constructor(
    private readonly requests: RequestClient,
    private readonly images: ChatImages,
    private readonly documents: AttachedDocuments,
    private readonly collector: GenerationCollector,
    private readonly relay: GenerationRelay,
    private readonly eventStreams: EventStreams,
  ) {}

  async answer(call: KeyCall, place: KeyPlace): Promise<ChatResult | FastifyReply> {
    const asked = await this.begin(call, place);
    if (asked === null) return resetResult();
    const { started, release } = asked;
    const { scope } = place;
    const { reply, input } = call;
    const images = listImages(input);
    const id = started.generationId ?? randomUUID();
    const agent = new AgentReply(id);
    const answer = await this.collector
      .collect(started, { scope, reply }, images, (frame) => void agent.add(frame))
      .finally(() => void release());
    const { text, error, chatId, sources, fault } = answer;
    if (error !== null && text === "") return sendFailure(reply, error, fault);
    const metrics = answer.metrics ?? {};
    const head = { id, type: "textResponse" as const, close: true as const, error };
    if (agent.isAgent) {
      const { thoughts, outputs } = agent;
      return { ...head, textResponse: plainAnswer(text), sources, metrics, thoughts, outputs };
    }
    return {
      ...head,
      ...(chatId === null ? {} : { chatId }),
      textResponse: text,
      sources,
      metrics,
    };
  }

  async stream(call: KeyCall, place: KeyPlace): Promise<void> {
    const asked = await this.begin(call, place);
    const { request, reply, input } = call;
    const generationId = asked?.started.generationId ?? null;
    const stream = new ApiFrames(this.eventStreams.start(request, reply), {
      id: generationId ?? randomUUID(),
      showsSteps: input.waitSeconds != null,
    });
    if (asked === null || generationId === null) {
      const frames = asked === null ? [resetResult()] : asked.started.frames;
      for (const frame of frames.map((each) => JSON.stringify(each)))
        if (!isCarrelFrame(frame)) await stream.send(frame);
      stream.end();
      await asked?.release();
      return;
    }
    const images = listImages(input);
    await this.relay
      .run(
        {
          generationId,
          scope: place.scope,
          after: 0,
          stream,
          ...(images.length > 0 && { attachments: images }),
        },
        // A client that sends a key may return for the answer.
        { cancelOnLeave: request.headers["idempotency-key"] === undefined },
      )
      .finally(() => void asked.release());
  }

  /** null if the client only wanted to reset its history. */
  private async begin(
    { input, request, signal }: KeyCall,
    { scope, threadSlug, conversation }: KeyPlace,
  ): Promise<Started | null> {
    const mode = readMode(input.mode);
    const message = readMessage(input.message);
    if (message === null && input.reset !== true) throw new CarrelError("chat.message-empty");
    if (input.reset === true)
      await this.requests.request(resetHistory, { threadSlug, conversation }, { scope });
    if (message === null) return null;
    const { filesOf, release } = await this.documents.read(
      (input.attachments ?? []).filter(isDocument),
      scope,
      { key: requestKey(request), signal },
    );
    try {
      const started = await this.images.keep(listImages(input), (attachments) =>
        this.requests.request(
          startGeneration,
          {
            threadSlug,
            conversation,
            message,
            mode,
            attachments,
            overrides: { ...readWait(input), ...(filesOf !== null && { filesOf }) },
            ...readClientInfo(request.headers),
          },
          { scope, idempotencyKey: requestKey(request) },
        ),
      );
      return { started, release };
    } catch (error) {
      await release();
      throw error;
    }
  }
}

/** Agents answer in automatic mode; `agent` is another word for it. */
function readMode(mode: unknown): ChatMode | undefined {
  if (mode === undefined || mode === null || mode === "") return undefined;
  if (mode === "agent") return "automatic";
  const known = chatModes.find((each) => each === mode);
  if (known !== undefined) return known;
  const named = typeof mode === "string" ? clipText(mode, 100) : typeof mode;
  throw new CarrelError("chat.mode-invalid", { mode: named });
}

/** Clients that don't say that they read steps can't be asked: their calls needn't wait. */
const readWait = ({ waitSeconds }: StreamedKeyQuestion): AnswerOverrides =>
  waitSeconds == null ? { asksPerson: false } : { asksPerson: true, waitSeconds };

const listImages = ({ attachments }: KeyQuestion): NonNullable<KeyQuestion["attachments"]> =>
  (attachments ?? []).filter((attachment) => !isDocument(attachment));

const resetResult = (): ChatResult => ({
  id: randomUUID(),
  type: "textResponse",
  close: true,
  error: null,
  textResponse: renderFault(historyReset),
  sources: [],
  metrics: {},
});

/**
 * Replies to a question without any answer text; `fault` is null if stored before failures had
 * codes.
 */
function sendFailure(reply: FastifyReply, error: string, fault: FaultWire | null): FastifyReply {
  const known = (fault ?? { code: "generation.failed" }) as Fault;
  setFault(reply, known);
  const failure: ChatResult = {
    id: randomUUID(),
    type: "abort",
    close: true,
    error,
    textResponse: null,
    sources: [],
    metrics: {},
  };
  const { status } = mapError(CarrelError.fromFault(known));
  return reply.code(status).send(failure);
}

/** A session has its own history; without one, a key uses the default thread without an owner. */
export const workspacePlace = (
  scope: Scope,
  { sessionId }: Pick<In<typeof streamChatByKey>, "sessionId">,
): KeyPlace => ({
  scope: scope as WorkspaceScope,
  threadSlug: null,
  conversation: sessionId == null || sessionId === "" ? null : { channel: "api", sessionId },
});

export const threadPlace = (
  scope: WorkspaceScope,
  { threadSlug }: Pick<In<typeof streamChatInThreadByKey>, "threadSlug">,
): KeyPlace => ({ scope, threadSlug, conversation: null });
