import { expect } from "@jest/globals";
import { row, type AccessRow } from "./access-row.ts";

const by = (
  operation: string,
  call: [string, string, unknown?],
  body: unknown,
  more: Partial<AccessRow> = {},
): AccessRow => row(`gateway.developer-${operation}`, "key", () => call, body, more);

const abort = (error: string) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  type: "abort",
  textResponse: null,
  sources: [],
  close: true,
  error,
});
const [ws, inThread] = ["/v1/workspace/w", "/v1/workspace/w/thread/a-thread"];
const step = "/v1/generation/00000000-0000-4000-8000-000000000001/step/1";
const badRequest: Partial<AccessRow> = { status: 400, kind: "text" };
const message = "Hello?";
/** What the fixture of the chat service replies to any question. */
const answered = { type: "textResponse", close: true, textResponse: "Chat memory was reset!" };

/** wire-contract 9.1, 9.4 and 9.5. */
export const developerWorkspaceRows: AccessRow[] = [
  by("system.settings", ["GET", "/v1/system"], { settings: { MultiUserMode: true } }),
  by("system.update-env", ["POST", "/v1/system/update-env", { GenericOpenAiKey: "sk-secret" }], {
    error: false,
  }),
  by("system.env-dump", ["GET", "/v1/system/env-dump"], "GenericOpenAiKey='********'\n", {
    kind: "text",
  }),
  by(
    "workspace.create",
    ["POST", "/v1/workspace/new", { name: "By key", topN: 7, chatMode: "query" }],
    {
      workspace: { slug: "by-key", topN: 7, chatMode: "query" },
      message: null,
    },
  ),
  by(
    "workspace.create",
    ["POST", "/v1/workspace/new", { topN: 7 }],
    { workspace: null, message: "name cannot be null" },
    { status: 400 },
  ),
  by(
    "workspace.create",
    ["POST", "/v1/workspace/new", { name: "Odd", chatProvider: "nobody" }],
    { workspace: null, message: "nobody is not a valid LLM provider." },
    { status: 400 },
  ),
  by("workspace.list", ["GET", "/v1/workspaces"], {
    workspaces: [
      { slug: "w", threads: [{ user_id: null, slug: "a-thread", name: "Thread" }] },
      { slug: "by-key", threads: [] },
    ],
  }),
  by("workspace.get", ["GET", ws], {
    workspace: [{ slug: "w", documents: [], threads: [{ user_id: null, slug: "a-thread" }] }],
  }),
  by("workspace.get", ["GET", "/v1/workspace/nothing"], { workspace: [] }),
  by("workspace.update", ["POST", "/v1/workspace/by-key/update", { name: "Renamed" }], {
    workspace: { slug: "by-key", name: "Renamed" },
    message: null,
  }),
  by("workspace.update", ["POST", "/v1/workspace/by-key/update", { nothing: 1 }], {
    workspace: { id: expect.any(Number) },
    message: "No valid fields to update!",
  }),
  by(
    "workspace.update",
    ["POST", "/v1/workspace/nothing/update", { topN: 3 }],
    "Bad Request",
    badRequest,
  ),
  by("workspace.delete", ["DELETE", "/v1/workspace/by-key"], "OK", { kind: "text" }),
  by("workspace.delete", ["DELETE", "/v1/workspace/nothing"], "Bad Request", badRequest),
  by("workspace.chats", ["GET", `${ws}/chats?apiSessionId=s&limit=5&orderBy=desc`], {
    history: [{ content: "Hi" }],
  }),
  by("workspace.chats", ["GET", "/v1/workspace/nothing/chats"], "Bad Request", badRequest),
  by("workspace.chat", ["POST", `${ws}/chat`, { message, sessionId: "s" }], answered),
  by("workspace.chat", ["POST", `${ws}/chat`, { reset: true, sessionId: "s" }], {
    type: "textResponse",
    close: true,
    error: null,
    textResponse: "Chat history was reset!",
    sources: [],
    metrics: {},
  }),
  by("workspace.chat", ["POST", `${ws}/chat`, { message: " " }], abort("Message is empty."), {
    status: 400,
  }),
  by(
    "workspace.chat",
    ["POST", `${ws}/chat`, { message, mode: "loud" }],
    abort("loud is not a valid mode."),
    { status: 400 },
  ),
  by(
    "workspace.chat",
    ["POST", "/v1/workspace/nothing/chat", { message }],
    abort("Workspace does not exist."),
    { status: 400 },
  ),
  by(
    "workspace.stream-chat",
    ["POST", `${ws}/stream-chat`, { message, mode: "automatic" }],
    undefined,
    {
      kind: "bytes",
    },
  ),
  by(
    "workspace.stream-chat",
    ["POST", `${ws}/stream-chat`, { message, mode: "agent", waitSeconds: 60 }],
    undefined,
    { kind: "bytes" },
  ),
  by("step.decide", ["POST", `${step}/decision`, { decision: "once" }], { success: true }),
  // Only people allow a skill once and for all.
  by("step.decide", ["POST", `${step}/decision`, { decision: "always" }], undefined, {
    status: 400,
  }),
  by("step.answer", ["POST", `${step}/answers`, { answers: ["1999", null] }], { success: true }),
  by("step.read", ["GET", step], { input: "{}", result: null }),
  by("workspace.stream-chat", ["POST", `${ws}/stream-chat`, {}], abort("Message is empty."), {
    status: 400,
  }),
  by("thread.create", ["POST", `${ws}/thread/new`, { name: "By key", slug: "By-Key" }], {
    thread: { name: "By key", slug: "By-Key" },
    message: null,
  }),
  by("thread.create", ["POST", `${ws}/thread/new`], { thread: { slug: "a-thread" } }),
  by("thread.create", ["POST", `${ws}/thread/new`, { slug: "taken" }], {
    thread: null,
    message: "There already is a thread taken.",
  }),
  by(
    "thread.create",
    ["POST", `${ws}/thread/new`, { userId: 987_654 }],
    { thread: null, message: "User not found" },
    { status: 404 },
  ),
  by("thread.create", ["POST", "/v1/workspace/nothing/thread/new", {}], "Bad Request", badRequest),
  by("thread.update", ["POST", `${inThread}/update`, { name: "Renamed" }], {
    thread: { name: "Renamed" },
    message: null,
  }),
  by(
    "thread.update",
    ["POST", `${ws}/thread/nothing/update`, { name: "Renamed" }],
    { message: "Thread not found" },
    { status: 404 },
  ),
  by("thread.chats", ["GET", `${inThread}/chats`], { history: [{ content: "Hi" }] }),
  by(
    "thread.chats",
    ["GET", "/v1/workspace/nothing/thread/a-thread/chats"],
    { message: "Workspace not found" },
    { status: 404 },
  ),
  by("thread.chat", ["POST", `${inThread}/chat`, { message }], answered),
  by(
    "thread.chat",
    ["POST", `${ws}/thread/nothing/chat`, { message }],
    abort("Workspace thread does not exist."),
    { status: 404 },
  ),
  by("thread.stream-chat", ["POST", `${inThread}/stream-chat`, { message }], undefined, {
    kind: "bytes",
  }),
  by(
    "thread.stream-chat",
    ["POST", `${ws}/thread/nothing/stream-chat`, { message }],
    abort("Workspace thread does not exist."),
    { status: 400 },
  ),
  by("thread.delete", ["DELETE", inThread], "OK", { kind: "text" }),
  by("thread.delete", ["DELETE", `${ws}/thread/nothing`], "OK", { kind: "text" }),
];
