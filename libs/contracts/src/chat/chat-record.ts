import { z } from "zod";
import { day, pageIndex, rowId, timeZone } from "../coercion.ts";
import { refusedKey } from "../error-reply.ts";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";

/*
 * Recorded chats of all users and workspaces (wire-contract 2.5). With DISABLE_VIEW_CHAT_HISTORY,
 * nobody can view, export or delete them.
 */

/**
 * The raw row of wire-contract 2.5; `response` is JSON text, with `feedbackReason` if the person
 * gave one.
 */
export const chatRecordWire = z.object({
  id: z.number().int(),
  workspaceId: z.number().int(),
  prompt: z.string(),
  response: z.string(),
  include: z.boolean(),
  user_id: z.number().int().nullable(),
  thread_id: z.number().int().nullable(),
  api_session_id: z.string().nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  feedbackScore: z.boolean().nullable(),
});

export const recordRatings = ["good", "bad", "none"] as const;
export const chatExportTypes = ["csv", "json", "jsonl", "jsonAlpaca"] as const;
export type ChatExportType = (typeof chatExportTypes)[number];

/**
 * Carrel-specific, except for `chatType`. Days include both ends and begin at midnight in
 * `timeZone`.
 */
const chatRecordFilter = z.object({
  /** `embed`: chats with visitors of a widget. */
  chatType: z.enum(["workspace", "embed"]).default("workspace"),
  workspaceId: rowId.optional(),
  /** A widget, and one of its visitors' sessions. */
  embedId: rowId.optional(),
  sessionId: z.string().max(255).optional(),
  /** `none`: chats without a user account, such as those of API keys. */
  userId: z.union([z.literal("none"), rowId]).optional(),
  from: day.optional(),
  to: day.optional(),
  timeZone,
  rating: z.enum(recordRatings).optional(),
  /** Words of the question or the answer; the last word may be incomplete. */
  search: z.string().max(500).optional(),
});
export type ChatRecordFilter = z.output<typeof chatRecordFilter>;

const hidden = {
  DISABLED: {
    status: 422,
    kind: "text",
    text: "This feature has been disabled by the administrator.",
  },
} satisfies ErrorReplies;

const namedRecord = chatRecordWire.extend({
  workspace: z.object({ name: z.string(), slug: z.string().nullable() }),
  user: z.object({ username: z.string() }),
});
const recordPage = z.object({
  chats: z.array(namedRecord),
  hasPages: z.boolean(),
  totalChats: z.number().int(),
  nextCursor: nextPageCursor,
});

/** A view over chat, workspace and auth; newest first. */
export const listRecordedChats = defineOperation({
  name: "gateway.chat-record.list",
  service: "gateway",
  access: { who: "manager" },
  mount: "custom",
  errors: hidden,
  routes: [
    {
      method: "POST",
      path: "/system/workspace-chats",
      summary: "List recorded chats of all users and workspaces",
    },
    {
      name: "gateway.developer.chats",
      method: "POST",
      path: "/v1/admin/workspace-chats",
      summary: "List recorded chats, 20 per page",
      access: { who: "key", scope: "admin", restrictedKeys: true },
      errors: refusedKey,
      output: recordPage.omit({ totalChats: true }),
      mapReply: ({ totalChats: _totalChats, ...page }) => page,
    },
  ],
  input: chatRecordFilter.extend({
    offset: pageIndex.default(0),
    limit: z.coerce.number().int().min(1).max(100).catch(20).default(20),
    /** Carrel-specific: if set, `offset` is ignored. */
    cursor: pageCursor,
  }),
  output: recordPage,
});

/**
 * `-1` deletes all, or those that match the filter. On this wire, deleting an unknown chat
 * succeeds.
 */
export const deleteRecordedChats = defineOperation({
  name: "chat.record.delete",
  service: "chat",
  access: { who: "manager" },
  mount: "custom",
  idempotency: "natural",
  timeoutMs: 300_000,
  errors: hidden,
  routes: [
    {
      method: "DELETE",
      path: "/system/workspace-chats/:id",
      summary: "Delete a recorded chat, or with -1 all of them",
    },
  ],
  input: chatRecordFilter.extend({ id: z.union([z.coerce.number().pipe(z.literal(-1)), rowId]) }),
  output: z.object({ success: z.boolean(), error: z.null() }),
});

/** Streamed, so that an export of any size needs only the memory of one page. */
export const exportRecordedChats = defineOperation({
  name: "gateway.chat-record.export",
  service: "gateway",
  access: { who: "manager" },
  mount: "custom",
  errors: { ...hidden, BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } } },
  routes: [
    {
      method: "GET",
      path: "/system/export-chats",
      summary: "Export recorded chats as csv, json, jsonl or jsonAlpaca",
    },
    {
      name: "gateway.developer.export-chats",
      method: "GET",
      path: "/v1/system/export-chats",
      summary: "Export recorded chats as csv, json, jsonl or jsonAlpaca",
      access: { who: "key", scope: "admin", restrictedKeys: true },
      errors: refusedKey,
    },
  ],
  input: chatRecordFilter.extend({ type: z.enum(chatExportTypes).default("jsonl") }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

/** Internal: recorded chats of the whole instance, newest first. */
export const listChatRecords = defineOperation({
  name: "chat.turn.records",
  service: "chat",
  calls: ["ingest"],
  access: { who: "internal" },
  idempotency: "natural",
  input: chatRecordFilter.extend({
    offset: pageIndex,
    limit: z.number().int().min(1).max(100),
    cursor: pageCursor,
  }),
  output: z.object({
    chats: z.array(chatRecordWire),
    total: z.number().int(),
    nextCursor: nextPageCursor,
  }),
});

export const recordTexts = ["question", "answer", "sources"] as const;
export type RecordText = (typeof recordTexts)[number];

const exportedRecord = z.object({
  id: z.number().int(),
  workspaceId: z.number().int(),
  userId: z.number().int().nullable(),
  /** Session of the developer API or a widget. */
  sessionId: z.string().nullable(),
  /** A widget's visitor, if named; `isVerified`: the site's server signed the name. */
  visitor: z.object({ name: z.string(), isVerified: z.boolean() }).nullish(),
  /** ISO 8601. */
  sentAt: z.string(),
  rating: z.boolean().nullable(),
  question: z.string(),
  answer: z.string(),
  /** What the answer was based on; empty unless requested. */
  sources: z.array(z.string()),
  /** Texts too long for a page, left empty here; read them with `readChatRecordText`. */
  long: z.array(z.enum(recordTexts)),
  /** Attached images; empty unless requested. */
  images: z.array(
    z.object({
      mime: z.string(),
      /** null: the turn itself holds the data URL. */
      blobKey: z.string().nullable(),
      /** Its place among the attachments. */
      index: z.number().int(),
    }),
  ),
});
export type ExportedRecord = z.infer<typeof exportedRecord>;

/**
 * Internal: recorded chats in export order, in pages of at most 1 MB; pass `next` as `after` of the
 * following page. The first page writes the export to the event log.
 */
export const exportChatRecords = defineOperation({
  name: "chat.record.export",
  service: "chat",
  calls: ["ingest"],
  access: { who: "internal" },
  // Repeating the first page only logs the export twice.
  idempotency: "natural",
  input: chatRecordFilter.extend({
    type: z.enum(chatExportTypes),
    after: z.object({ workspaceId: z.number().int(), id: z.number().int() }).nullable(),
  }),
  output: z.object({
    records: z.array(exportedRecord),
    next: z.object({ workspaceId: z.number().int(), id: z.number().int() }).nullable(),
  }),
});

/**
 * Internal: part of a recorded chat's text that is too long for a page; `sources` is a JSON array.
 * With `image`, the data URL that the turn holds.
 */
export const readChatRecordText = defineOperation({
  name: "chat.record.text",
  service: "chat",
  calls: ["ingest"],
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    id: z.number().int(),
    text: z.union([z.enum(recordTexts), z.object({ image: z.number().int().min(0) })]),
    /** Characters that the caller already has. */
    from: z.number().int().min(0),
  }),
  output: z.object({ part: z.string(), next: z.number().int().nullable() }),
});

/**
 * Internal: the system prompt of the workspace in scope: its own, the instance's or the built-in.
 */
export const readSystemPrompt = defineOperation({
  name: "chat.record.system-prompt",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({}),
  output: z.object({ prompt: z.string() }),
});

export const chatRecordContracts: Contracts = {
  operations: [
    listRecordedChats,
    deleteRecordedChats,
    exportRecordedChats,
    listChatRecords,
    exportChatRecords,
    readChatRecordText,
    readSystemPrompt,
  ],
};
