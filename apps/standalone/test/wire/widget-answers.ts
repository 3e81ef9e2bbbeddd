import { randomUUID } from "node:crypto";
import {
  countWidgetChats,
  deleteWidgetChat,
  deleteWidgetSession,
  getWidgetUsage,
  listWidgetSessions,
  readHistory,
  readWidgetChats,
  resetHistory,
  startGeneration,
  stopWidgetSession,
  type In,
  type Out,
  type WidgetChatWire,
} from "@carrel/contracts";
import { commandReply } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";

const date = "2026-11-21T00:00:00.000Z";
/** As AnythingLLM's script makes one. */
export const sessionId = randomUUID();
export const chat: WidgetChatWire = {
  id: 5,
  prompt: "Hi",
  response: '{"text":"Hello","type":"query","sources":[],"metrics":{}}',
  session_id: sessionId,
  include: true,
  connection_information: '{"host":null,"ip":"127.0.0.1","username":null,"verified":false}',
  embed_id: 1,
  usersId: null,
  createdAt: date,
};
const source = { title: "a.txt", text: "The pump.", page: 2, chunkSource: "", docpath: "secret" };
export const answerText = {
  role: "assistant",
  type: "query",
  content: "Hello [1]",
  sources: [source],
  chatId: 5,
  sentAt: 1,
  feedbackScore: true,
  metrics: { model: "m" },
};
export const asked = { role: "user", content: "Hi", sentAt: 1, attachments: [], chatId: 5 };
const closing = { type: "textResponseChunk", textResponse: "", close: true, error: false };
const started: Out<typeof startGeneration> = {
  generationId: null,
  chatId: null,
  queued: false,
  frames: [
    { type: "generationStarted", generationId: "g", chatId: 5, queued: false },
    { ...closing, uuid: "g", sources: [], textResponse: "Hello [1]", close: false },
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
export const streamed = [
  '{"uuid":"g","sources":[],"type":"textResponseChunk","textResponse":"Hello","close":false,"error":false}',
  '{"uuid":"g","sources":[],"type":"textResponseChunk","textResponse":"","close":true,"error":false}',
]
  .map((frame) => `data: ${frame}\n\n`)
  .join("");

const use = { chats: 2, visitors: 1, inputTokens: 90, outputTokens: 9, cost: 0.01, unpriced: 0 };
export const widgetUsage = { totals: use, days: [{ day: "2026-11-21", ...use }] };

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
    .answer(listWidgetSessions, { sessions: [], nextCursor: null })
    .answer(getWidgetUsage, widgetUsage)
    .answer(deleteWidgetChat, { success: true, error: null })
    .answer(deleteWidgetSession, { success: true });
}
