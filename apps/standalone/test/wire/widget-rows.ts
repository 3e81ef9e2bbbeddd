import { randomUUID } from "node:crypto";
import type { WidgetWire } from "@carrel/contracts";
import { row, type AccessRow } from "./access-row.ts";
import { answerText, asked, chat, sessionId, streamed, widgetUsage } from "./widget-answers.ts";

const refusedAs = (text: string) => ({ error: text, errorMsg: text });
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
    allowlist_required: false,
  }),
  row("gateway.developer.widgets", "key", () => ["GET", "/v1/embed"], {
    embeds: [{ chat_count: 0 }, { chat_count: 21, workspace: { name: "W" } }],
  }),
  row(
    "workspace.widget.update",
    "admin",
    ({ widget }) => [
      "POST",
      `/embed/update/${widget}`,
      // wire-contract 8.1: only the fields of EmbedInput count.
      { max_chats_per_day: "30", createdBy: 99, uuid: randomUUID(), id: 999, workspace: {} },
    ],
    outcome,
  ),
  row(
    "workspace.widget.update",
    "admin",
    ({ widget }) => ["POST", `/embed/update/${widget}`, { createdBy: 99, uuid: "x" }],
    {},
  ),
  row(
    "workspace.developer.update-widget",
    "key",
    ({ widgetUuid }) => [
      "POST",
      `/v1/embed/${widgetUuid}`,
      { name: "Shop", createdBy: 9, id: 999 },
    ],
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
    {
      type: "abort",
      textResponse: null,
      sources: [],
      close: true,
      ...refusedAs("Message is empty."),
    },
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
    { type: "abort", ...refusedAs("Invalid session ID.") },
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
      history: [
        asked,
        { ...answerText, content: "Hello", sources: [], feedbackScore: null, metrics: {} },
      ],
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
    nextCursor: null,
  }),
  row(
    "chat.widget.usage",
    "admin",
    ({ widget }) => ["GET", `/embeds/${widget}/usage?from=2026-11-01&to=2026-11-30`],
    widgetUsage,
  ),
  row("chat.widget.delete-chat", "admin", () => ["DELETE", "/embed/chats/5"], outcome),
  row(
    "chat.widget.delete-session",
    "admin",
    ({ widget }) => ["DELETE", `/embeds/${widget}/sessions/${sessionId}`],
    { success: true },
  ),
  row(
    "workspace.widget.delete",
    "admin",
    ({ widget }) => ["DELETE", `/embed/${widget}`, { uuid: randomUUID() }],
    outcome,
  ),
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
