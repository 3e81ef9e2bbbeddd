import { builtInSystemPrompt } from "@carrel/contracts";
import { expect } from "@jest/globals";
import { embedded, file, message } from "./chat-answers.ts";
import { fileForm } from "./fixture-answers.ts";
import { json, row, text, type Row } from "./wire-row.ts";

const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const pixel = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

const pictureForm = (): FormData => {
  const form = new FormData();
  form.append("file", new Blob([pixel], { type: "image/png" }), "w.png");
  return form;
};

const preset = { id: 1, command: "/explain-this", prompt: "Explain.", description: "Explains" };
const fullPreset = {
  ...preset,
  uid: expect.any(Number),
  userId: null,
  createdAt: anyDate,
  lastUpdatedAt: anyDate,
};

const variable = { id: 1, key: "company", value: "Carrel", description: null, type: "static" };
const another = { slug: "another-one", name: "Another one" };
const outcome = { success: true, error: null };

/**
 * Wire contract 2.6, 3.3 and 3.4. `w` and `another-one` exist; each row builds on the previous
 * ones.
 */
export const chatRows: Row[] = [
  row(
    "workspace.preset.create",
    [
      "POST",
      "/system/slash-command-presets",
      { command: "Explain this", prompt: "Explain.", description: "Explains" },
    ],
    201,
    json,
    { body: { preset: fullPreset } },
  ),
  row("workspace.preset.list", ["GET", "/system/slash-command-presets"], 200, json, {
    body: { presets: [preset] },
  }),
  row(
    "workspace.preset.update",
    [
      "POST",
      "/system/slash-command-presets/1",
      { command: "/short", prompt: "Be short.", description: "" },
    ],
    200,
    json,
    {
      body: { preset: { ...fullPreset, command: "/short", prompt: "Be short.", description: "" } },
    },
  ),
  row("workspace.preset.delete", ["DELETE", "/system/slash-command-presets/1"], 204, null, {
    body: "",
  }),
  row("workspace.notice.list", ["GET", "/notices"], 200, json, {
    body: { notices: [], unread: 0 },
  }),
  row("workspace.notice.read", ["POST", "/notices/read", {}], 200, json, {
    body: { success: true },
  }),
  row(
    "workspace.variable.create",
    ["POST", "/system/prompt-variables", { key: "company", value: "Carrel" }],
    200,
    json,
    { body: { success: true, variable: expect.objectContaining(variable) } },
  ),
  row("workspace.variable.list", ["GET", "/system/prompt-variables"], 200, json, {
    body: { variables: expect.arrayContaining([expect.objectContaining(variable)]) },
  }),
  row(
    "workspace.variable.update",
    ["PUT", "/system/prompt-variables/1", { key: "company", value: "Other" }],
    200,
    json,
    { body: { success: true, variable: expect.objectContaining({ ...variable, value: "Other" }) } },
  ),
  row("workspace.variable.delete", ["DELETE", "/system/prompt-variables/1"], 200, json, {
    body: { success: true },
  }),
  row(
    "workspace.prompt.set-default",
    ["POST", "/system/default-system-prompt", { defaultSystemPrompt: "Be brief." }],
    200,
    json,
    { body: { success: true, message: "Default system prompt updated successfully." } },
  ),
  row("workspace.prompt.default", ["GET", "/system/default-system-prompt"], 200, json, {
    body: {
      success: true,
      defaultSystemPrompt: "Be brief.",
      saneDefaultSystemPrompt: builtInSystemPrompt,
    },
  }),

  row(
    "workspace.suggestion.set",
    [
      "POST",
      "/workspace/w/suggested-messages",
      { messages: [{ heading: "Ask", message: "What is this?" }] },
    ],
    200,
    json,
    { body: { success: true, message: "Suggested messages saved successfully." } },
  ),
  row("workspace.suggestion.list", ["GET", "/workspace/w/suggested-messages"], 200, json, {
    body: { success: true, suggestedMessages: [{ heading: "Ask", message: "What is this?" }] },
  }),
  // The first change leaves no previous prompt.
  ...["First.", "Second.", "Third."].map((openAiPrompt) =>
    row(
      "workspace.workspace.update",
      ["POST", "/workspace/another-one/update", { openAiPrompt }],
      200,
      json,
    ),
  ),
  row(
    "workspace.prompt-history.list",
    ["GET", "/workspace/another-one/prompt-history"],
    200,
    json,
    {
      body: {
        history: ["Second.", "First."].map((prompt) => ({
          id: expect.any(Number),
          workspaceId: expect.any(Number),
          prompt,
          modifiedBy: null,
          modifiedAt: anyDate,
          user: null,
        })),
      },
    },
  ),
  row("workspace.prompt-history.delete", ["DELETE", "/workspace/prompt-history/1"], 200, json, {
    body: { success: true },
  }),
  row(
    "workspace.prompt-history.clear",
    ["DELETE", "/workspace/another-one/prompt-history"],
    200,
    json,
    { body: { success: true } },
  ),
  row("workspace.provider.list-ready", ["GET", "/workspace/w/providers"], 200, json, {
    keys: ["instance", "providers"],
  }),
  row(
    "gateway.workspace.upload-picture",
    ["POST", "/workspace/w/upload-pfp", pictureForm()],
    200,
    json,
    { body: { message: "Profile picture uploaded successfully." } },
  ),
  row("gateway.workspace.picture", ["GET", "/workspace/w/pfp"], 200, "image/webp"),
  row("gateway.workspace.remove-picture", ["DELETE", "/workspace/w/remove-pfp"], 200, json, {
    body: { message: "Profile picture removed successfully." },
  }),
  row("gateway.workspace.picture", ["GET", "/workspace/w/pfp"], 204, null, { body: "" }),
  row("gateway.search", ["POST", "/workspace/search", { searchTerm: "another" }], 200, json, {
    body: {
      workspaces: [another],
      threads: [{ slug: "a-thread", name: "Thread", workspace: { slug: "w", name: "W" } }],
      messages: [{ ...message, workspace: { slug: "w", name: "W" } }],
    },
  }),

  row(
    "chat.turn.park",
    ["DELETE", "/workspace/w/delete-edited-chats", { startingId: 9 }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "chat.turn.park-in-thread",
    ["DELETE", "/workspace/w/thread/a-thread/delete-edited-chats", { startingId: 9 }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "chat.turn.update",
    ["POST", "/workspace/w/update-chat", { chatId: 9, newText: "Other words." }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "chat.turn.update-in-thread",
    [
      "POST",
      "/workspace/w/thread/a-thread/update-chat",
      { chatId: 9, newText: "Other words.", role: "user" },
    ],
    200,
    text,
    { body: "OK" },
  ),
  row("chat.turn.rate", ["POST", "/workspace/w/chat-feedback/9", { feedback: 1 }], 200, json, {
    body: { success: true },
  }),
  row(
    "chat.turn.explain-rating",
    ["POST", "/workspace/w/turns/9/feedback-reason", { reason: "other", comment: "Too long" }],
    200,
    json,
    { body: { success: true } },
  ),
  row("chat.turn.hide", ["PUT", "/workspace/workspace-chats/9"], 200, json, { body: outcome }),
  row("chat.turn.activate", ["POST", "/workspace/w/turns/9/activate"], 200, json, {
    body: { success: true },
  }),
  row("chat.agent.available", ["GET", "/workspace/w/is-agent-command-available"], 200, json, {
    body: { showAgentCommand: true },
  }),
  row(
    "gateway.chat.export",
    ["POST", "/export-chat/plaintext", { workspaceSlug: "w", threadSlug: "a-thread" }],
    200,
    text,
    {
      body: "Thread\nWorkspace: W\n\nYou (1970-01-01T00:00:00.000Z):\nHi\n\nAnswer:\nHello\n\nSources:\n[1] a.txt, page 2\n",
    },
  ),

  row(
    "ingest.workspace-document.pin",
    ["POST", "/workspace/w/update-pin", { docPath: "custom-documents/a.json", pinStatus: true }],
    200,
    null,
    { body: "" },
  ),
  row(
    "ingest.workspace-document.watch",
    [
      "POST",
      "/workspace/w/update-watch-status",
      { docPath: "custom-documents/a.json", watchStatus: true },
    ],
    200,
    null,
    { body: "" },
  ),
  row("ingest.workspace-document.reset", ["DELETE", "/workspace/w/reset-vector-db"], 200, text, {
    body: "OK",
  }),
  row("ingest.vector.count", ["GET", "/system/system-vectors?slug=w"], 200, json, {
    body: { vectorCount: 17 },
  }),
  row(
    "gateway.parsed-file.create",
    ["POST", "/workspace/w/parse", fileForm("dropped.txt", "Dropped.", { threadSlug: "a-thread" })],
    200,
    json,
    { body: { ...outcome, files: [file] } },
  ),
  row(
    "gateway.parsed-file.list",
    ["GET", "/workspace/w/parsed-files?threadSlug=a-thread"],
    200,
    json,
    {
      body: {
        files: [{ id: 4, title: "dropped.txt", location: file.filename, token_count_estimate: 12 }],
        contextWindow: 128_000,
        currentContextTokenCount: 12,
      },
    },
  ),
  row("gateway.parsed-file.embed", ["POST", "/workspace/w/embed-parsed-file/4"], 200, json, {
    body: { ...outcome, document: embedded },
  }),
  row(
    "ingest.parsed-file.delete",
    ["DELETE", "/workspace/w/delete-parsed-files", { fileIds: [4] }],
    200,
    null,
    { body: "" },
  ),
];
