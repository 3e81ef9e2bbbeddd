import { randomUUID } from "node:crypto";
import {
  countWidgetChats,
  deleteWidgetChat,
  deleteWidgetSession,
  listWidgetSessions,
  readHistory,
  readWidgetChats,
  resetHistory,
  startGeneration,
  stopWidgetSession,
  type In,
  type Out,
  type WidgetChatWire,
  type WidgetWire,
} from "@carrel/contracts";
import { row, type AccessRow } from "./access-row.ts";
import { commandReply } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";

const date = "2026-11-21T00:00:00.000Z";
/** As AnythingLLM's script makes one. */
const sessionId = randomUUID();
const chat: WidgetChatWire = {
  id: 5,
  prompt: "Hi",
  response: '{"text":"Hello","type":"query","sources":[],"metrics":{}}',
  session_id: sessionId,
  include: true,
  connection_information: '{"host":null,"ip":"127.0.0.1","username":null}',
  embed_id: 1,
  usersId: null,
  createdAt: date,
};
const source = { title: "a.txt", text: "The pump.", page: 2, chunkSource: "", docpath: "secret" };
const answerText = {
  role: "assistant",
  type: "query",
  content: "Hello",
  sources: [source],
  chatId: 5,
  sentAt: 1,
  feedbackScore: true,
  metrics: { model: "m" },
};
const asked = { role: "user", content: "Hi", sentAt: 1, attachments: [], chatId: 5 };
const closing = { type: "textResponseChunk", textResponse: "", close: true, error: false };
const started: Out<typeof startGeneration> = {
  generationId: null,
  chatId: null,
  queued: false,
  frames: [
    { type: "generationStarted", generationId: "g", chatId: 5, queued: false },
    { ...closing, uuid: "g", sources: [], textResponse: "Hello", close: false },
    { ...closing, uuid: "g", sources: [source] },
    {
      uuid: "g",
      type: "finalizeResponseStream",
      close: true,
      error: false,
      chatId: 5,
      metrics: {},
    },
  ],
};
const streamed = [
  '{"uuid":"g","sources":[],"type":"textResponseChunk","textResponse":"Hello","close":false,"error":false}',
  '{"uuid":"g","sources":[],"type":"textResponseChunk","textResponse":"","close":true,"error":false}',
]
  .map((frame) => `data: ${frame}\n\n`)
  .join("");

export function answerWidgetRows({ chat: service }: TestInstance): void {
  service
    .answer(startGeneration, (({ conversation }: In<typeof startGeneration>) =>
      conversation?.channel === "widget" ? started : commandReply) as never)
    .answer(readHistory, {
      version: "1",
      page: {
        items: [asked, answerText].map((item) => JSON.stringify(item)).join(","),
        hasImages: false,
        next: null,
      },
    })
    .answer(resetHistory, {})
    .answer(stopWidgetSession, {})
    .answer(readWidgetChats, { chats: [chat], next: null, total: 21 })
    .answer(countWidgetChats, { counts: { 1: 21 } })
    .answer(listWidgetSessions, { sessions: [], next: null })
    .answer(deleteWidgetChat, { success: true, error: null })
    .answer(deleteWidgetSession, { success: true });
}

const outcome = { success: true, error: null };
const fields = { allow_any_origin: true, greeting: "Hello!", suggested_messages: ["Prices?"] };
const keep =
  (name: string): AccessRow["keep"] =>
  ({ embed }: { embed: WidgetWire }, world) => {
    world[name] = String(embed.id);
    world[`${name}Uuid`] = embed.uuid;
  };

/** Chat widgets (wire-contract 8 and 9.7), with the key created by the account rows. */
export const widgetRows: AccessRow[] = [
  row(
    "workspace.widget.create",
    "admin",
    () => ["POST", "/embeds/new", { workspace_slug: "w", ...fields }],
    { embed: { enabled: true, chat_mode: "query", allowlist_domains: null }, error: null },
    { keep: keep("widget") },
  ),
  row(
    "workspace.widget.create",
    "admin",
    () => ["POST", "/embeds/new", { workspace_id: 999 }],
    { embed: null, error: "Workspace not found." },
    { status: 404 },
  ),
  row(
    "workspace.developer.create-widget",
    "key",
    () => ["POST", "/v1/embed/new", { workspace_slug: "w", allowlist_domains: "a.example" }],
    { embed: { allowlist_domains: '["https://a.example"]' }, error: null },
    { keep: keep("other") },
  ),
  row(
    "workspace.developer.create-widget",
    "key",
    () => ["POST", "/v1/embed/new", {}],
    { error: "Choose the workspace that the widget answers from." },
    { status: 400 },
  ),
  row("gateway.widget.list", "admin", () => ["GET", "/embeds"], {
    embeds: [
      { _count: { embed_chats: 0 }, workspace: { slug: "w" } },
      { _count: { embed_chats: 21 }, greeting: "Hello!" },
    ],
  }),
  row("gateway.developer.widgets", "key", () => ["GET", "/v1/embed"], {
    embeds: [{ chat_count: 0 }, { chat_count: 21, workspace: { name: "W" } }],
  }),
  row(
    "workspace.widget.update",
    "admin",
    ({ widget }) => ["POST", `/embed/update/${widget}`, { max_chats_per_day: "30" }],
    outcome,
  ),
  row(
    "workspace.developer.update-widget",
    "key",
    ({ widgetUuid }) => ["POST", `/v1/embed/${widgetUuid}`, { name: "Shop" }],
    outcome,
  ),
  row(
    "workspace.developer.update-widget",
    "key",
    () => ["POST", `/v1/embed/${randomUUID()}`, { name: "Shop" }],
    { error: "Not Found" },
    { status: 404 },
  ),
  row(
    "workspace.widget.create-secret",
    "admin",
    ({ widget }) => ["POST", `/embeds/${widget}/identity-secret`],
    undefined,
  ),
  row(
    "workspace.widget.delete-secret",
    "admin",
    ({ widget }) => ["DELETE", `/embeds/${widget}/identity-secret`],
    { success: true },
  ),
  row(
    "gateway.widget.session",
    "none",
    ({ widgetUuid }) => ["POST", `/embed/${widgetUuid}/session`, { token: null }],
    { greeting: "Hello!", suggestedMessages: ["Prices?"], showSources: false },
  ),
  row(
    "gateway.widget.session",
    "none",
    ({ otherUuid }) => ["POST", `/embed/${otherUuid}/session`, {}],
    { type: "abort", error: "Invalid request." },
    { status: 401 },
  ),
  row(
    "gateway.widget.stream",
    "none",
    ({ widgetUuid }) => [
      "POST",
      `/embed/${widgetUuid}/stream-chat`,
      { sessionId, message: "Hi", username: null, prompt: null, model: null, temperature: null },
    ],
    streamed,
    { kind: "text" },
  ),
  row(
    "gateway.widget.stream",
    "none",
    ({ widgetUuid }) => ["POST", `/embed/${widgetUuid}/stream-chat`, { sessionId, message: " " }],
    { type: "abort", textResponse: null, sources: [], close: true, error: "Message is empty." },
    { status: 400 },
  ),
  row(
    "gateway.widget.stream",
    "none",
    ({ widgetUuid }) => [
      "POST",
      `/embed/${widgetUuid}/stream-chat`,
      { sessionId: "1", message: "x" },
    ],
    { type: "abort", error: "Invalid session ID." },
    { status: 404 },
  ),
  row(
    "gateway.widget.stream",
    "none",
    () => ["POST", `/embed/${randomUUID()}/stream-chat`, { sessionId, message: "Hi" }],
    "Not Found",
    { status: 404, kind: "text" },
  ),
  row(
    "gateway.widget.history",
    "none",
    ({ widgetUuid }) => ["GET", `/embed/${widgetUuid}/${sessionId}`],
    {
      history: [asked, { ...answerText, sources: [], feedbackScore: null, metrics: {} }],
    },
  ),
  row(
    "gateway.widget.history",
    "none",
    ({ widgetUuid }) => ["GET", `/embed/${widgetUuid}/nonsense`],
    {
      history: [],
    },
  ),
  row(
    "gateway.widget.stop",
    "none",
    ({ widgetUuid }) => ["POST", `/embed/${widgetUuid}/${sessionId}/stop`],
    { success: true },
  ),
  row(
    "gateway.widget.reset",
    "none",
    ({ widgetUuid }) => ["DELETE", `/embed/${widgetUuid}/${sessionId}`],
    "",
    { kind: "empty" },
  ),
  row("gateway.widget.chats", "admin", () => ["POST", "/embed/chats", { offset: 0, limit: 20 }], {
    chats: [{ ...chat, embed_config: { workspace: { name: "W" } } }],
    hasPages: true,
    totalChats: 21,
  }),
  row(
    "gateway.developer.widget-chats",
    "key",
    ({ widgetUuid }) => ["GET", `/v1/embed/${widgetUuid}/chats`],
    { chats: [chat] },
  ),
  row(
    "gateway.developer.widget-session",
    "key",
    ({ widgetUuid }) => ["GET", `/v1/embed/${widgetUuid}/chats/${sessionId}`],
    { chats: [chat] },
  ),
  row("chat.widget.sessions", "admin", ({ widget }) => ["GET", `/embeds/${widget}/sessions`], {
    sessions: [],
    next: null,
  }),
  row("chat.widget.delete-chat", "admin", () => ["DELETE", "/embed/chats/5"], outcome),
  row(
    "chat.widget.delete-session",
    "admin",
    ({ widget }) => ["DELETE", `/embeds/${widget}/sessions/${sessionId}`],
    { success: true },
  ),
  row("workspace.widget.delete", "admin", ({ widget }) => ["DELETE", `/embed/${widget}`], outcome),
  row(
    "workspace.widget.delete",
    "admin",
    ({ widget }) => ["DELETE", `/embed/${widget}`],
    "Not Found",
    { status: 404, kind: "text" },
  ),
  row(
    "workspace.developer.delete-widget",
    "key",
    ({ otherUuid }) => ["DELETE", `/v1/embed/${otherUuid}`],
    outcome,
  ),
];
