import { agentRows } from "./agent-rows.ts";
import { chatRows } from "./chat-rows.ts";
import { connectionRows } from "./connection-rows.ts";
import { credentialRows } from "./credential-rows.ts";
import { documentId, fileForm } from "./fixture-answers.ts";
import { flowRows } from "./flow-rows.ts";
import { flowRunRows } from "./flow-run-rows.ts";
import { hubRows } from "./hub-rows.ts";
import { indexRows } from "./index-rows.ts";
import { libraryRows } from "./library-rows.ts";
import { localModelRows } from "./local-model-rows.ts";
import { mcpRows } from "./mcp-rows.ts";
import { memoryRows } from "./memory-rows.ts";
import { pluginRows } from "./plugin-rows.ts";
import { recordRows } from "./record-rows.ts";
import { repositoryRows } from "./repository-rows.ts";
import { retrievalRows } from "./retrieval-rows.ts";
import { scheduleRows } from "./schedule-rows.ts";
import { shareRows } from "./share-rows.ts";
import { speechRows } from "./speech-rows.ts";
import { syncRows } from "./sync-rows.ts";
import { threadRows } from "./thread-rows.ts";
import { usageRows } from "./usage-rows.ts";
import { versionRows } from "./version-rows.ts";
import { wikiRows } from "./wiki-rows.ts";
import { json, row, stream, text, type Row } from "./wire-row.ts";

/** One successful call of every route, according to the wire contract. `w` exists. */
export const rows: Row[] = [
  row("gateway.ping", ["GET", "/ping"], 200, json, { body: { online: true } }),
  row("gateway.instance.state", ["GET", "/utils/metrics"], 200, json, {
    body: {
      online: true,
      version: "0.1.0",
      mode: "single-user",
      vectorDB: "lancedb",
      storage: { current: null, capacity: null },
      appVersion: "0.1.0",
    },
  }),
  row("gateway.setup.get", ["GET", "/setup-complete"], 200, json, { keys: ["results"] }),
  row("auth.mode.get", ["GET", "/system/multi-user-mode"], 200, json, {
    body: { multiUserMode: false },
  }),
  row("gateway.session.check", ["GET", "/system/check-token"], 200, text, { body: "OK" }),
  // No password was ever set: the wire's product answers 500 here.
  row("auth.session.create", ["POST", "/request-token", { password: "whatever" }], 401, json, {
    body: { valid: false, token: null, message: "[003] Invalid password provided" },
  }),
  row(
    "auth.password.update",
    ["POST", "/system/update-password", { usePassword: false }],
    200,
    json,
    { body: { success: true, error: null } },
  ),
  row(
    "workspace.workspace.create",
    ["POST", "/workspace/new", { name: "Another one", onboardingComplete: true }],
    200,
    json,
    { keys: ["workspace", "message"] },
  ),
  row("workspace.workspace.list", ["GET", "/workspaces"], 200, json, { keys: ["workspaces"] }),
  row("gateway.workspace.get", ["GET", "/workspace/w"], 200, json, { keys: ["workspace"] }),
  row(
    "workspace.workspace.update",
    ["POST", "/workspace/w/update", { openAiTemp: "0.3" }],
    200,
    json,
    { keys: ["workspace", "message"] },
  ),
  row("workspace.provider.list", ["GET", "/system/providers"], 200, json, {
    keys: [
      "providers",
      "language",
      "embedding",
      "vector",
      "speech",
      "dictation",
      "transcription",
      "allowed",
      "locked",
    ],
  }),
  row("workspace.fallback.get-instance", ["GET", "/system/fallback-models"], 200, json, {
    keys: ["models", "providers"],
  }),
  row(
    "workspace.fallback.set-instance",
    ["PUT", "/system/fallback-models", { models: [{ provider: "extractive", model: null }] }],
    200,
    json,
    { body: { success: true } },
  ),
  row("workspace.model-override.list", ["GET", "/system/model-overrides"], 200, json, {
    body: { overrides: [] },
  }),
  row(
    "workspace.model-override.set",
    ["PUT", "/system/model-overrides", { overrides: [] }],
    200,
    json,
    {
      body: { success: true },
    },
  ),
  row("workspace.fallback.get", ["GET", "/workspace/w/fallback-models"], 200, json, {
    keys: ["models", "instance", "providers"],
  }),
  row(
    "workspace.answer-parameter.set",
    ["PUT", "/workspace/w/answer-parameters", { parameters: { topP: 0.9 } }],
    200,
    json,
    { body: { success: true } },
  ),
  row(
    "workspace.fallback.set",
    ["PUT", "/workspace/w/fallback-models", { models: null }],
    200,
    json,
    { body: { success: true } },
  ),
  row(
    "workspace.setting.update",
    ["POST", "/system/update-env", { LLMProvider: "extractive", "llm-search": "x" }],
    200,
    json,
    { body: { newValues: { LLMProvider: "extractive" }, error: false } },
  ),
  row(
    "workspace.model.list",
    ["POST", "/system/custom-models", { provider: "nobody" }],
    200,
    json,
    { body: { models: [], error: "Invalid provider for custom models" } },
  ),
  row("workspace.telemetry.get", ["GET", "/system/telemetry"], 200, json, {
    keys: ["address", "report"],
  }),
  row("workspace.survey.get", ["GET", "/onboarding/survey"], 200, json, {
    body: { address: null },
  }),
  row(
    "workspace.survey.send",
    ["POST", "/onboarding/survey", { email: "a@b.example" }],
    403,
    json,
    {
      body: {
        error: "This instance has no survey address. Set CARREL_SURVEY_URL to send surveys.",
      },
    },
  ),
  row(
    "workspace.provider.test",
    ["POST", "/system/test-provider", { kind: "language", provider: "extractive" }],
    200,
    json,
    {
      body: {
        result: null,
        error:
          "Quotes from your documents works without a connection, so there is nothing to test.",
      },
    },
  ),
  row("chat.thread.list", ["GET", "/workspace/w/threads"], 200, json, {
    keys: ["threads", "defaultThreadChatCount"],
  }),
  row("chat.thread.create", ["POST", "/workspace/w/thread/new"], 200, json, {
    keys: ["thread", "message"],
  }),
  row(
    "chat.thread.update",
    ["POST", "/workspace/w/thread/a-thread/update", { name: "Renamed" }],
    200,
    json,
    { keys: ["thread", "message"] },
  ),
  row("chat.thread.delete", ["DELETE", "/workspace/w/thread/a-thread"], 200, text, { body: "OK" }),
  row(
    "chat.thread.delete-many",
    ["DELETE", "/workspace/w/thread-bulk-delete", { slugs: ["a-thread"] }],
    200,
    text,
    { body: "OK" },
  ),
  row("gateway.turn.list", ["GET", "/workspace/w/chats"], 200, json, { keys: ["history"] }),
  row("gateway.turn.list-in-thread", ["GET", "/workspace/w/thread/a-thread/chats"], 200, json, {
    keys: ["history"],
  }),
  row("chat.turn.page", ["GET", "/workspace/w/turns?limit=20"], 200, json, {
    keys: ["turns", "hasMore"],
  }),
  row(
    "chat.turn.delete",
    ["DELETE", "/workspace/w/delete-chats", { chatIds: [1, "2"] }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "gateway.generation.stream",
    ["POST", "/workspace/w/stream-chat", { message: "/reset" }],
    200,
    stream,
  ),
  row(
    "gateway.generation.stream-in-thread",
    ["POST", "/workspace/w/thread/a-thread/stream-chat", { message: "/reset" }],
    200,
    stream,
  ),
  row("gateway.generation.attach", ["GET", `/generation/${documentId}/stream`], 200, stream),
  row("chat.generation.cancel", ["DELETE", `/generation/${documentId}`], 200, json, {
    body: { success: true },
  }),
  row("chat.generation.current", ["GET", "/workspace/w/thread/default/generation"], 200, json, {
    body: { generation: null },
  }),
  row("gateway.document.upload", ["POST", "/workspace/w/upload", fileForm()], 200, json, {
    body: { success: true, error: null },
  }),
  row(
    "gateway.document.upload-and-embed",
    ["POST", "/workspace/w/upload-and-embed", fileForm()],
    200,
    json,
    {
      body: {
        success: true,
        error: null,
        document: { id: documentId, location: "custom-documents/a.json" },
      },
    },
  ),
  row(
    "gateway.document.upload-link",
    ["POST", "/workspace/w/upload-link", { link: "https://example.org/" }],
    200,
    json,
    { body: { success: true, error: null } },
  ),
  row(
    "gateway.document.update-embeddings",
    ["POST", "/workspace/w/update-embeddings", { adds: ["custom-documents/a.json"], deletes: [] }],
    200,
    json,
    { keys: ["workspace", "message"] },
  ),
  row(
    "ingest.document.remove",
    ["DELETE", "/workspace/w/remove-and-unembed", { documentLocation: "custom-documents/a.json" }],
    200,
    null,
    { body: "" },
  ),
  row("ingest.processor.status", ["GET", "/system/document-processing-status"], 200, text, {
    body: "OK",
  }),
  row("ingest.processor.types", ["GET", "/system/accepted-document-types"], 200, json, {
    keys: ["types"],
  }),
  row("ingest.workspace-document.page", ["GET", "/workspace/w/documents"], 200, json, {
    keys: ["documents", "total", "nextCursor", "passages"],
  }),
  row("ingest.document.retry", ["POST", `/workspace/w/documents/${documentId}/retry`], 200, json, {
    body: { success: true },
  }),
  row(
    "ingest.workspace-document.remove",
    ["DELETE", `/workspace/w/documents/${documentId}`],
    200,
    json,
    { body: { success: true } },
  ),
  row("ingest.workspace-document.counts", ["GET", "/workspaces/document-counts"], 200, json, {
    body: { counts: [] },
  }),
  row("workspace.member-right.list", ["GET", "/system/member-rights"], 200, json, {
    keys: ["rights", "choosesModels", "ownWorkspaces"],
  }),
  ...chatRows,
  ...speechRows,
  ...threadRows,
  ...libraryRows,
  ...connectionRows,
  ...repositoryRows,
  ...wikiRows,
  ...indexRows,
  ...retrievalRows,
  ...versionRows,
  ...memoryRows,
  ...agentRows,
  ...shareRows,
  ...credentialRows,
  ...flowRows,
  ...hubRows,
  ...flowRunRows,
  ...scheduleRows,
  ...mcpRows,
  ...usageRows,
  ...localModelRows,
  ...pluginRows,
  ...syncRows,
  ...recordRows,
  row("gateway.metrics.get", ["GET", "/metrics"], 200, text),
  row("gateway.system.conditions", ["GET", "/system/conditions"], 200, json),
  row("workspace.workspace.delete", ["DELETE", "/workspace/to-delete"], 200, text, { body: "OK" }),
];
