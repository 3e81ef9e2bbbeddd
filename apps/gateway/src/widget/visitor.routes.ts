import { createHash, randomUUID } from "node:crypto";
import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  admitQuestion,
  admitVisitor,
  beginVisit,
  readWidgetHistory,
  renderFault,
  resetHistory,
  resetWidgetHistory,
  startGeneration,
  startWidgetSession,
  stopWidgetChat,
  stopWidgetSession,
  streamWidgetChat,
  visitorHeader,
  type Args,
  type Conversation,
  type Fault,
  type Out,
} from "@carrel/contracts";
import { knownLanguage, type Language } from "@carrel/contracts/languages";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { findTexts } from "@carrel/texts";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { GenerationRelay } from "../chat/generation-relay.ts";
import { replyTo } from "../http/error-map.ts";
import { setFault } from "../http/fault-header.ts";
import { isOwnPage, originSettings, type OriginSettings } from "../http/origin-rules.ts";
import { clientKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { readOrigin } from "../http/security.ts";
import { EventStreams } from "../stream/event-stream.ts";
import { VisitorHistory, VisitorStream, type VisitorReasoning } from "./visitor-frames.ts";

type Refusal = NonNullable<Out<typeof admitQuestion>["refusal"]>;
type Question = NonNullable<Out<typeof admitQuestion>["question"]>;

/** wire-contract 8.3. */
const uuid = z.uuid();

/** The routes of chat widgets on other sites (wire-contract 8.2). */
@Injectable()
export class VisitorRoutes {
  private readonly settings: OriginSettings;

  constructor(
    private readonly requests: RequestClient,
    private readonly eventStreams: EventStreams,
    private readonly relay: GenerationRelay,
    private readonly history: VisitorHistory,
    @Inject(CONFIG) config: ProcessConfig,
  ) {
    this.settings = originSettings(config);
  }

  @Route(startWidgetSession)
  begin({
    input: { embedUuid, token, identity },
    scope,
    request,
  }: Call<typeof startWidgetSession>): Promise<Out<typeof startWidgetSession>> {
    return this.requests.request(
      beginVisit,
      { ...this.visit(request, embedUuid), token, identity },
      { scope },
    );
  }

  @Route(streamWidgetChat)
  async ask({
    input,
    scope,
    request,
    reply,
  }: Call<typeof streamWidgetChat>): Promise<FastifyReply | undefined> {
    const message = typeof input.message === "string" ? input.message.trim() : "";
    const sessionId = uuid.safeParse(input.sessionId).data?.toLowerCase();
    if (sessionId === undefined || message === "") {
      // Unknown widgets and other sites' pages are refused first.
      await this.admit(request, input.embedUuid, sessionId ?? randomUUID(), scope);
      throw new CarrelError(
        sessionId === undefined ? "visitor.session-invalid" : "chat.message-empty",
      );
    }
    const { username, prompt, model, temperature } = input;
    const { refusal, question } = await this.requests.request(
      admitQuestion,
      {
        ...this.visit(request, input.embedUuid),
        sessionId,
        token: readToken(request),
        key: questionKey(request),
        length: message.length,
        username,
        prompt,
        model,
        temperature,
      },
      { scope },
    );
    if (question === null) return refuseQuestion(reply, refusal!);
    await this.answer(
      question,
      {
        sessionId,
        message,
        language: knownLanguage(input.language),
        reasoning: chooseReasoning(request, input.showThoughts),
      },
      request,
      reply,
    );
    return undefined;
  }

  @Route(readWidgetHistory)
  async read({
    input: { embedUuid, sessionId, showThoughts },
    scope,
    request,
  }: Call<typeof readWidgetHistory>): Promise<Out<typeof readWidgetHistory>> {
    const id = uuid.safeParse(sessionId).data?.toLowerCase();
    const admitted = await this.admit(request, embedUuid, id ?? randomUUID(), scope);
    // On this wire, an invalid session has no history.
    if (id === undefined) return { history: [] };
    const reasoning = chooseReasoning(request, showThoughts);
    return { history: await this.history.read(admitted, conversationOf(admitted, id), reasoning) };
  }

  @Route(resetWidgetHistory)
  async reset({
    input: { embedUuid, sessionId },
    scope,
    request,
  }: Call<typeof resetWidgetHistory>): Promise<void> {
    const id = uuid.safeParse(sessionId).data?.toLowerCase();
    const admitted = await this.admit(request, embedUuid, id ?? randomUUID(), scope);
    if (id === undefined) return;
    await this.requests.request(
      resetHistory,
      { threadSlug: null, conversation: conversationOf(admitted, id) },
      { scope: admitted.scope },
    );
  }

  @Route(stopWidgetChat)
  async stop({
    input: { embedUuid, sessionId },
    scope,
    request,
  }: Call<typeof stopWidgetChat>): Promise<Out<typeof stopWidgetChat>> {
    const id = uuid.safeParse(sessionId).data?.toLowerCase();
    if (id === undefined) throw new CarrelError("visitor.session-invalid");
    const admitted = await this.admit(request, embedUuid, id, scope);
    await this.requests.request(
      stopWidgetSession,
      { widgetId: admitted.widgetId, sessionId: id },
      { scope: admitted.scope },
    );
    return { success: true };
  }

  private async answer(
    question: Question,
    {
      sessionId,
      message,
      language,
      reasoning,
    }: {
      sessionId: string;
      message: string;
      /** The widget's. */
      language: Language | null;
      reasoning: VisitorReasoning;
    },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { mode, historyLimit, systemPrompt, model, temperature } = question;
    const scope = language === null ? question.scope : { ...question.scope, language };
    const key = questionKey(request);
    const started = await this.requests
      .request(
        startGeneration,
        {
          threadSlug: null,
          conversation: conversationOf(question, sessionId),
          message,
          mode,
          overrides: {
            systemPrompt,
            model,
            temperature,
            historyLimit,
            emptyRefusal: findTexts(scope.language)("widgetRefusal"),
          },
          ...readLanguage(request),
        },
        { scope, idempotencyKey: hash(`${question.widgetId} ${sessionId} ${key}`) },
      )
      .catch((cause: unknown) => {
        // For example a used-up budget, which doesn't concern the visitor.
        if (!(cause instanceof CarrelError) || cause.kind === "INTERNAL") throw cause;
        throw new CarrelError("visitor.answer-failed", {}, { cause });
      });
    const stream = new VisitorStream(
      this.eventStreams.startForVisitor(reply),
      question.showSources,
      reasoning,
    );
    if (started.generationId === null) {
      for (const frame of started.frames) await stream.send(JSON.stringify(frame));
      stream.end();
      return;
    }
    await this.relay.run(
      { generationId: started.generationId, scope, after: 0, stream },
      // A client that sends a key may return for the answer.
      { cancelOnLeave: request.headers["idempotency-key"] === undefined },
    );
  }

  private admit(
    request: FastifyRequest,
    embedUuid: string,
    sessionId: string,
    scope: Call["scope"],
  ): Promise<Out<typeof admitVisitor>> {
    return this.requests.request(
      admitVisitor,
      { ...this.visit(request, embedUuid), sessionId, token: readToken(request) },
      { scope },
    );
  }

  private visit(
    request: FastifyRequest,
    uuid: string,
  ): Pick<Args<typeof admitVisitor>, "uuid" | "origin" | "isOwnPage"> {
    const asked = readOrigin(request);
    const origin = asked.origin === undefined || asked.origin.length > 300 ? null : asked.origin;
    return { uuid, origin, isOwnPage: isOwnPage(asked, this.settings) };
  }
}

const conversationOf = ({ widgetId }: { widgetId: number }, sessionId: string): Conversation => ({
  channel: "widget",
  sessionId,
  widgetId,
});

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** The page may ask again with other attributes, so only the session's key counts. */
const questionKey = (request: FastifyRequest): string => clientKey(request) ?? request.id;

function readToken({ headers }: FastifyRequest): string | null {
  const token = headers[visitorHeader];
  return typeof token === "string" && token !== "" && token.length <= 4_096 ? token : null;
}

/** Only our script has tokens; other scripts find the reasoning inline. */
const chooseReasoning = (request: FastifyRequest, showThoughts: boolean): VisitorReasoning =>
  readToken(request) === null ? "inline" : showThoughts ? "apart" : "hidden";

/** For dates in prompts. */
function readLanguage({ headers }: FastifyRequest): { locale?: string } {
  const locale = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?(?=[,;]|$)/i.exec(
    headers["accept-language"] ?? "",
  )?.[0];
  return locale === undefined ? {} : { locale };
}

/** wire-contract 8.2. */
function refuseQuestion(
  reply: FastifyReply,
  { fault, text, retryAfterSeconds }: Refusal,
): FastifyReply {
  const { kind } = CarrelError.fromFault(fault as Fault);
  const shown = text ?? renderFault(fault);
  const isShared = kind === "TOO_MANY_ATTEMPTS" && fault.code !== "visitor.session-limit";
  setFault(reply, fault as Fault);
  if (retryAfterSeconds !== null) reply.header("retry-after", retryAfterSeconds);
  return reply.code(replyTo(kind, shown, streamWidgetChat).status).send({
    id: randomUUID(),
    type: "abort",
    textResponse: null,
    sources: [],
    close: true,
    error: isShared ? "Rate limit exceeded" : shown,
    errorMsg: shown,
  });
}
