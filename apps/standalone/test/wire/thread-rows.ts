import { marked, threadModel, threadParameters, trashed } from "./chat-answers.ts";
import { thread } from "./fixture-answers.ts";
import { json, row, text, type Row } from "./wire-row.ts";

export const threadRows: Row[] = [
  row(
    "chat.thread.fork",
    ["POST", "/workspace/w/thread/fork", { chatId: 9, threadSlug: null }],
    200,
    json,
    { body: { newThreadSlug: "forked" } },
  ),
  row("chat.thread.list-marked", ["GET", "/workspace/w/marked-threads"], 200, json, {
    body: { threads: [marked], defaultThreadChatCount: 0 },
  }),
  row(
    "chat.thread.mark",
    ["POST", "/workspace/w/thread/a-thread/mark", { pinned: true }],
    200,
    json,
    { body: { success: true } },
  ),
  row(
    "chat.thread.update-default",
    ["POST", "/workspace/w/default-thread", { name: "Water" }],
    200,
    json,
    { body: { success: true } },
  ),
  row("chat.thread.clear-default", ["DELETE", "/workspace/w/default-thread"], 200, json, {
    body: { success: true },
  }),
  row("chat.thread-model.get", ["GET", "/workspace/w/model?thread=a-thread"], 200, json, {
    body: threadModel,
  }),
  row(
    "chat.thread-model.choose",
    [
      "PUT",
      "/workspace/w/model",
      { thread: "a-thread", choice: { provider: "openai", model: "gpt-4.1-nano" } },
    ],
    200,
    json,
    { body: { ...threadModel, isOwnChoice: true } },
  ),
  row("chat.thread-parameter.get", ["GET", "/workspace/w/parameters?thread=a-thread"], 200, json, {
    body: threadParameters,
  }),
  row(
    "chat.thread-parameter.set",
    ["PUT", "/workspace/w/parameters", { thread: "a-thread", parameters: { maxTokens: 500 } }],
    200,
    json,
    { body: { success: true } },
  ),
  row("chat.thread.trash", ["GET", "/workspace/w/trash"], 200, json, {
    body: { days: 30, threads: [trashed] },
  }),
  row("chat.thread.restore", ["POST", "/workspace/w/thread/a-thread/restore"], 200, json, {
    body: { thread },
  }),
  row("chat.thread.purge", ["DELETE", "/workspace/w/trash/a-thread"], 200, text, { body: "OK" }),
];
