import { z } from "zod";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import { widgetMessages } from "../workspace/widget-fields.ts";

/*
 * Chat widgets as visitors of other sites use them (wire-contract 8.2).
 */

/** Identifies the visitor's session; `POST /embed/:embedUuid/session` returns it. */
export const visitorHeader = "carrel-visitor";

/** Existing widgets show only `errorMsg` to visitors. */
const abort = (status: number, error = "$message") =>
  ({
    status,
    kind: "json",
    body: {
      id: "$id",
      type: "abort",
      textResponse: null,
      sources: [],
      close: true,
      error,
      errorMsg: "$message",
    },
  }) as const;
/** wire-contract 8.2. */
const visitorErrors: ErrorReplies = {
  NOT_FOUND: { status: 404, kind: "text", text: "Not Found" },
  DISABLED: abort(503),
  FORBIDDEN: abort(401, "Invalid request."),
  THREAD_NOT_FOUND: abort(404),
  BAD_INPUT: abort(400),
  TOO_LARGE: abort(413),
  TOO_MANY_ATTEMPTS: abort(429),
  UNAVAILABLE: abort(503),
};
const byVisitor = { who: "public", widget: true } as const;
const embedUuid = z.string().max(64);
/**
 * Whether reasoning is sent apart from the answer, for our script; otherwise it stays on the
 * server.
 */
const showThoughts = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === "true");
/** Anything but text counts as absent, as existing clients expect. */
const textOrNone = (longest: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => (typeof value === "string" && value !== "" ? value : null))
    .pipe(z.string().max(longest).nullable());

export const streamWidgetChat = defineOperation({
  name: "gateway.widget.stream",
  service: "gateway",
  access: byVisitor,
  mount: "custom",
  errors: visitorErrors,
  routes: [
    {
      method: "POST",
      path: "/embed/:embedUuid/stream-chat",
      bodyLimit: 300_000,
      summary: "Ask a widget; the answer is an event stream",
    },
  ],
  input: z.object({
    embedUuid,
    // The handler refuses invalid sessions and messages, as the wire specifies.
    sessionId: z.unknown().optional(),
    message: z.unknown().optional(),
    username: textOrNone(255),
    showThoughts,
    /** Carrel-specific: the widget's, for sentences that Carrel itself writes. */
    language: textOrNone(35),
    /** The next three fields are ignored unless the widget allows them. */
    prompt: textOrNone(100_000),
    model: textOrNone(255),
    temperature: z
      .unknown()
      .optional()
      .transform((value) =>
        value == null || value === "" ? null : (z.coerce.number().safeParse(value).data ?? null),
      ),
  }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

/** Carrel-specific. */
export const startWidgetSession = defineOperation({
  name: "gateway.widget.session",
  service: "gateway",
  access: byVisitor,
  mount: "custom",
  errors: { ...visitorErrors, REFUSED: { status: 400, kind: "json", body: { error: "$message" } } },
  routes: [
    {
      method: "POST",
      path: "/embed/:embedUuid/session",
      summary: "Begin or resume a visitor's session",
    },
  ],
  input: z.object({
    embedUuid,
    /** Token of an earlier session, which is resumed if it is still valid. */
    token: textOrNone(4_096),
    /** Signed by the site's server. */
    identity: textOrNone(8_192),
  }),
  output: z.object({
    sessionId: z.string(),
    token: z.string(),
    showSources: z.boolean(),
    suggestedMessages: z.array(z.string()),
    greeting: z.string().nullable(),
    limitMessages: z.partialRecord(z.enum(widgetMessages), z.string()),
    maxMessageLength: z.number().int(),
  }),
});

const visitorSession = z.object({ embedUuid, sessionId: z.string().max(255) });

/** What visitors see of a source, if the widget shows sources. */
export const visitorSource = z.object({
  title: z.string(),
  text: z.string(),
  page: z.number().int().nullable(),
  /** Number of its citation mark. */
  number: z.number().int(),
  /** Only for web pages. */
  url: z.string().nullable(),
});
export type VisitorSource = z.infer<typeof visitorSource>;

/** wire-contract 3.1, without what only users may know. */
const visitorMessage = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    content: z.string(),
    sentAt: z.number().int(),
    attachments: z.array(z.never()),
    chatId: z.number().int(),
  }),
  z.object({
    role: z.literal("assistant"),
    type: z.string(),
    content: z.string(),
    /** Carrel-specific: only if requested. */
    thoughts: z.string().optional(),
    sources: z.array(visitorSource),
    chatId: z.number().int(),
    sentAt: z.number().int(),
    feedbackScore: z.null(),
    metrics: z.object({}),
  }),
]);

export const readWidgetHistory = defineOperation({
  name: "gateway.widget.history",
  service: "gateway",
  access: byVisitor,
  mount: "custom",
  errors: visitorErrors,
  routes: [
    { method: "GET", path: "/embed/:embedUuid/:sessionId", summary: "Read a visitor's session" },
  ],
  input: visitorSession.extend({ showThoughts }),
  output: z.object({ history: z.array(visitorMessage) }),
});

export const resetWidgetHistory = defineOperation({
  name: "gateway.widget.reset",
  service: "gateway",
  access: byVisitor,
  mount: "custom",
  idempotency: "natural",
  errors: visitorErrors,
  routes: [
    {
      method: "DELETE",
      path: "/embed/:embedUuid/:sessionId",
      summary: "Hide the messages of a visitor's session",
    },
  ],
  input: visitorSession,
  output: z.void(),
  success: { status: 200, kind: "empty" },
});

/** Carrel-specific: with `Idempotency-Key`, an answer continues when its reader leaves. */
export const stopWidgetChat = defineOperation({
  name: "gateway.widget.stop",
  service: "gateway",
  access: byVisitor,
  mount: "custom",
  idempotency: "natural",
  errors: visitorErrors,
  routes: [
    {
      method: "POST",
      path: "/embed/:embedUuid/:sessionId/stop",
      summary: "Stop the answers of a visitor's session; the text so far is kept",
    },
  ],
  input: visitorSession,
  output: z.object({ success: z.boolean() }),
});

export const visitorChatContracts: Contracts = {
  operations: [
    streamWidgetChat,
    startWidgetSession,
    readWidgetHistory,
    resetWidgetHistory,
    stopWidgetChat,
  ],
};
