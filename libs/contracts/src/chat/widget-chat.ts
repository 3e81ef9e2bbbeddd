import { z } from "zod";
import { day, pageIndex, rowId, timeZone } from "../coercion.ts";
import { refusedKey } from "../error-reply.ts";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";

/* What admins see of chats with widget visitors (wire-contract 8.1, 9.7). */

/** Internal: stops the answers of a session of the widget in scope. */
export const stopWidgetSession = defineOperation({
  name: "chat.widget.stop",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ widgetId: z.number().int(), sessionId: z.string().max(255) }),
  output: z.object({}),
});

/** wire-contract 8.1. */
export const widgetChatWire = z.object({
  id: z.number().int(),
  prompt: z.string(),
  /** JSON of `{text, type, sources, metrics}`. */
  response: z.string(),
  session_id: z.string(),
  /** false once the visitor has reset the session. */
  include: z.boolean(),
  /** JSON of `{host, ip, username, verified}`; `verified` is Carrel-specific. */
  connection_information: z.string(),
  embed_id: z.number().int(),
  usersId: z.null(),
  createdAt: z.string(),
});
export type WidgetChatWire = z.infer<typeof widgetChatWire>;

const hidden: ErrorReplies = {
  DISABLED: {
    status: 422,
    kind: "text",
    text: "This feature has been disabled by the administrator.",
  },
};

/** Internal: answered questions, newest first; `before` is the id of a chat. */
export const readWidgetChats = defineOperation({
  name: "chat.widget.chats",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    widgetId: z.number().int().optional(),
    sessionId: z.string().max(255).optional(),
    before: z.number().int().optional(),
    offset: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(100),
  }),
  output: z.object({
    chats: z.array(widgetChatWire),
    /** `before` of the next page; a page may be shorter than `limit`. */
    next: z.number().int().nullable(),
    total: z.number().int(),
  }),
});

/** Internal: the number of answered questions of each widget that has any. */
export const countWidgetChats = defineOperation({
  name: "chat.widget.count",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ widgetIds: z.array(z.number().int()).max(10_000) }),
  output: z.object({ counts: z.record(z.string(), z.number().int()) }),
});

/** A view over chat and workspace; DISABLED with DISABLE_VIEW_CHAT_HISTORY. */
export const listWidgetChats = defineOperation({
  name: "gateway.widget.chats",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  errors: hidden,
  routes: [{ method: "POST", path: "/embed/chats", summary: "List chats with visitors" }],
  input: z.object({
    offset: pageIndex.default(0),
    limit: z.coerce.number().int().min(1).max(100).catch(20).default(20),
    /** Carrel-specific, like the next one: only chats of one widget. */
    embed_id: rowId.optional(),
    session_id: z.string().max(255).optional(),
  }),
  output: z.object({
    chats: z.array(
      widgetChatWire.extend({
        embed_config: z.object({ workspace: z.object({ name: z.string() }) }),
      }),
    ),
    hasPages: z.boolean(),
    totalChats: z.number().int(),
  }),
});

/** Streamed, because the wire has no pages here. */
export const listDeveloperWidgetChats = defineOperation({
  name: "gateway.developer.widget-chats",
  service: "gateway",
  access: { who: "key", scope: "admin" },
  mount: "custom",
  errors: {
    ...refusedKey,
    ...hidden,
    NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
  },
  routes: [
    { method: "GET", path: "/v1/embed/:uuid/chats", summary: "List the chats of a widget" },
    {
      name: "gateway.developer.widget-session",
      method: "GET",
      path: "/v1/embed/:uuid/chats/:sessionUuid",
      summary: "List the chats of a visitor's session",
    },
  ],
  input: z.object({
    uuid: z.string().max(64),
    sessionUuid: z.string().max(255).optional(),
  }),
  output: z.object({ chats: z.array(widgetChatWire) }),
});

/** Carrel-specific: the conversations of a widget, most recent first. */
export const listWidgetSessions = defineOperation({
  name: "chat.widget.sessions",
  service: "chat",
  access: { who: "admin" },
  errors: hidden,
  routes: [
    {
      method: "GET",
      path: "/embeds/:id/sessions",
      summary: "List the visitors' sessions of a widget, 50 per page",
    },
  ],
  input: z.object({
    id: rowId,
    cursor: pageCursor,
  }),
  output: z.object({
    sessions: z.array(
      z.object({
        session_id: z.string(),
        chats: z.number().int(),
        first_prompt: z.string(),
        username: z.string().nullable(),
        /** Whether the site's server signed the username; otherwise a page may claim any. */
        verified: z.boolean(),
        host: z.string().nullable(),
        /** ISO 8601, like the next one. */
        startedAt: z.string(),
        lastAt: z.string(),
      }),
    ),
    nextCursor: nextPageCursor,
  }),
});

const widgetUse = {
  chats: z.number().int(),
  /** Number of sessions with at least one question. */
  visitors: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** In dollars, excluding calls at an unknown price; null if there are no other calls. */
  cost: z.number().nullable(),
  unpriced: z.number().int(),
};

/**
 * Carrel-specific. Days include both ends and begin at midnight in `timeZone`. Deleted chats no
 * longer count, but their cost still does.
 */
export const getWidgetUsage = defineOperation({
  name: "chat.widget.usage",
  service: "chat",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/embeds/:id/usage",
      summary: "Get a widget's chats, visitors, tokens and cost by day",
    },
  ],
  input: z.object({ id: rowId, from: day, to: day, timeZone }),
  output: z.object({
    totals: z.object(widgetUse),
    /** Only days with questions or usage. */
    days: z.array(z.object({ day: z.string(), ...widgetUse })),
  }),
});

export const deleteWidgetChat = defineOperation({
  name: "chat.widget.delete-chat",
  service: "chat",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    { method: "DELETE", path: "/embed/chats/:chatId", summary: "Delete a chat with a visitor" },
  ],
  input: z.object({ chatId: rowId }),
  output: z.object({ success: z.boolean(), error: z.null() }),
});

/** Carrel-specific. */
export const deleteWidgetSession = defineOperation({
  name: "chat.widget.delete-session",
  service: "chat",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/embeds/:id/sessions/:sessionId",
      summary: "Delete a visitor's session with its chats",
    },
  ],
  input: z.object({ id: rowId, sessionId: z.string().max(255) }),
  output: z.object({ success: z.boolean() }),
});

export const widgetChatContracts: Contracts = {
  operations: [
    stopWidgetSession,
    readWidgetChats,
    countWidgetChats,
    listWidgetChats,
    listDeveloperWidgetChats,
    listWidgetSessions,
    getWidgetUsage,
    deleteWidgetChat,
    deleteWidgetSession,
  ],
};
