import {
  deleteRecordedChats,
  exportChatRecords,
  listChatRecords,
  type ExportedRecord,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const at = "2026-11-21T10:00:00.000Z";
const record: ExportedRecord = {
  id: 9,
  workspaceId: 1,
  userId: null,
  sessionId: null,
  sentAt: at,
  rating: true,
  question: "=1+1",
  answer: "2",
  sources: [],
  long: [],
  images: [],
};
const chat = {
  id: 9,
  workspaceId: 1,
  prompt: "=1+1",
  response: "{}",
  include: true,
  user_id: null,
  thread_id: null,
  api_session_id: null,
  createdAt: at,
  lastUpdatedAt: at,
  feedbackScore: true,
};
const outcome = { success: true, error: null };

export function answerRecordRows({ chat: service }: TestInstance): void {
  service
    .answer(listChatRecords, { chats: [chat], total: 1, nextCursor: null })
    .answer(exportChatRecords, { records: [record], next: null })
    .answer(deleteRecordedChats, outcome);
}

/** wire-contract 2.5. */
export const recordRows: Row[] = [
  row("gateway.chat-record.list", ["POST", "/system/workspace-chats", { offset: 0 }], 200, json, {
    body: {
      chats: [
        {
          ...chat,
          workspace: { name: "W", slug: "w" },
          user: { username: "unknown user" },
        },
      ],
      hasPages: false,
      totalChats: 1,
      nextCursor: null,
    },
  }),
  row(
    "gateway.chat-record.export",
    ["GET", "/system/export-chats?type=csv&chatType=workspace"],
    200,
    "text/csv; charset=utf-8",
    {
      body: `id,workspace,prompt,response,sent_at,username,rating\n"9","W","'=1+1","2","${String(new Date(at))}","unknown user","GOOD"`,
    },
  ),
  row("chat.record.delete", ["DELETE", "/system/workspace-chats/-1"], 200, json, {
    body: outcome,
  }),
];
