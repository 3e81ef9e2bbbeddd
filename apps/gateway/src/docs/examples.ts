import { exampleOf } from "./example-of.ts";
import type { Schema } from "./named-schemas.ts";

const document = "custom-documents/lease.pdf-5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10.json";
const question = { message: "What is the notice period?", mode: "chat" };
const askOfFolder = { message: question.message, places: { folders: ["contracts"] } };
const metadata = { title: "Lease of the office", docAuthor: "Ada Lovelace" };
const ask = [{ role: "user", content: "What is the notice period?" }];

/** Bodies that show a route's purpose better than field names can. */
const requests: Record<string, unknown> = {
  "gateway.generation.stream": askOfFolder,
  "gateway.generation.stream-in-thread": askOfFolder,
  "gateway.developer.create-invite": { workspaceIds: [1] },
  "gateway.developer.create-user": {
    username: "ada",
    password: "A long passphrase",
    role: "default",
  },
  "gateway.developer.update-user": { role: "manager", dailyMessageLimit: 50 },
  "gateway.developer.preferences": { custom_app_name: "Riverside" },
  "gateway.developer.chats": { rating: "good", from: "2026-03-01", limit: 20 },
  "gateway.developer.update-members": { userIds: [1, 2] },
  "gateway.developer.manage-members": { userIds: [2], reset: false },
  "gateway.developer-document.create-folder": { name: "leases" },
  "gateway.developer-document.remove-folder": { name: "leases" },
  "gateway.developer-document.move-files": {
    files: [{ from: document, to: document.replace("custom-documents", "leases") }],
  },
  "gateway.developer-document.raw-text": {
    textContent: "The notice period is three months.",
    metadata,
    addToWorkspaces: "contracts",
  },
  "gateway.developer-document.upload-link": {
    link: "https://example.com/lease",
    addToWorkspaces: "contracts",
    metadata,
  },
  "gateway.developer-system.remove-documents": { names: [document] },
  "gateway.developer-system.update-env": { OllamaLLMBasePath: "http://127.0.0.1:11434" },
  "workspace.setting.update": { OllamaLLMBasePath: "http://127.0.0.1:11434" },
  "workspace.model-override.set": {
    overrides: [{ provider: "openai", model: "gpt-5", contextWindow: 400_000 }],
  },
  "workspace.developer.create-widget": {
    workspace_slug: "contracts",
    chat_mode: "query",
    allowlist_domains: ["https://example.com"],
    max_chats_per_day: 500,
  },
  "workspace.developer.update-widget": { enabled: true, max_chats_per_day: 500 },
  "gateway.openai.chat-completion": { model: "contracts", messages: ask, temperature: 0.7 },
  "gateway.openai.response": { model: "contracts", input: "What is the notice period?" },
  "gateway.openai.embeddings": { input: ["The notice period is three months."] },
  "gateway.developer.create-webhook": {
    url: "https://example.com/carrel",
    events: ["document.ready", "answer.finished"],
  },
  "gateway.developer.update-webhook": {
    url: "https://example.com/carrel",
    events: ["document.ready"],
    enabled: true,
  },
  "gateway.developer-workspace.create": { name: "Contracts", chatMode: "chat", topN: 4 },
  "gateway.developer-workspace.update": { name: "Contracts and leases", openAiTemp: 0.3 },
  "gateway.developer-workspace.update-embeddings": { adds: [document], deletes: [] },
  "gateway.developer-workspace.update-pin": { docPath: document, pinStatus: true },
  "gateway.developer-workspace.chat": { ...question, sessionId: "customer-17" },
  "gateway.developer-workspace.stream-chat": { ...question, sessionId: "customer-17" },
  "gateway.developer-schedule.create": {
    name: "Morning brief",
    work: { kind: "agent", prompt: "Summarize what was added to the workspace since yesterday." },
    timing: { kind: "cron", cron: "0 9 * * MON-FRI", timeZone: "Europe/London" },
    delivery: { thread: "new", onlyWhenChanged: true },
    approvals: [{ tool: "gmail-send", destination: "ada@example.com" }],
    ownerId: 3,
  },
  "gateway.developer-step.decide": { decision: "once" },
  "gateway.developer-step.answer": { answers: ["Three months", null] },
  "gateway.developer-flow.run": { inputs: { city: "Rome" } },
  "chat.flow-run.start": { inputs: { city: "Rome" } },
  "chat.flow-run.start-in-workspace": { inputs: { city: "Rome" } },
  "chat.flow-run.describe-requests": { inputs: { city: "Rome" } },
  "chat.flow-run.answer": { path: "2", decision: "once" },
  "chat.flow-trigger.set": {
    approvals: [
      {
        tool: "@@flow_5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10",
        destination: "https://api.example.com",
      },
    ],
  },
  "gateway.flow-hook.receive": { city: "Rome" },
  "gateway.developer.vector-search": { query: "notice period", topN: 4, scoreThreshold: 0.25 },
  "gateway.developer-thread.create": { name: "Notice periods", slug: "notice-periods" },
  "gateway.developer-thread.update": { name: "Notice periods" },
  "gateway.developer-thread.chat": question,
  "gateway.developer-thread.stream-chat": question,
};

const frame = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;
const uuid = "5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10";
const answerFrames = [
  frame({
    uuid,
    type: "textResponseChunk",
    textResponse: "Three months.",
    sources: [],
    close: false,
    error: false,
  }),
  frame({
    uuid,
    type: "textResponseChunk",
    textResponse: "",
    sources: [],
    close: true,
    error: false,
  }),
].join("");

const model = { id: "contracts", object: "model", created: 1_772_443_800, owned_by: "carrel" };

/** Replies about which the schema says too little. */
const replies: Record<string, unknown> = {
  "gateway.developer-document.types": { types: { "application/pdf": [".pdf"] } },
  "gateway.developer-document.metadata-schema": {
    schema: { title: "string", docAuthor: "string", description: "string" },
  },
  "gateway.openai.models": { object: "list", data: [model] },
  "gateway.openai.model": model,
  "gateway.developer-system.settings": {
    settings: { LLMProvider: "ollama", OllamaLLMModelPref: "llama3.2" },
  },
  "gateway.developer-system.update-env": {
    newValues: { OllamaLLMBasePath: "http://127.0.0.1:11434" },
    error: false,
  },
  "gateway.developer-system.env-dump": "LLM_PROVIDER='ollama'\nOLLAMA_MODEL_PREF='llama3.2'\n",
  "gateway.changes.watch": frame({ type: "workspace.updated", workspaceId: 1 }),
  "gateway.flow-run.watch": [
    frame({ type: "run", id: uuid, state: "running", question: null }),
    frame({ type: "end", id: uuid, state: "done", output: "Hello.", fault: null, error: null }),
  ].join(""),
  "gateway.document.progress": frame({
    type: "file_removed",
    workspaceSlug: "contracts",
    filename: document,
  }),
};

export const exampleRequest = (name: string, schema: Schema): unknown =>
  requests[name] ?? exampleOf(schema, "", true);

export const exampleReply = (name: string, schema: Schema): unknown =>
  replies[name] ?? exampleOf(schema);
/** The example for a route that replies with text. */
export const exampleText = (name: string): unknown => replies[name] ?? "OK";
/** The events of a stream, most of which are answers. */
export const exampleStream = (name: string): unknown => replies[name] ?? answerFrames;
