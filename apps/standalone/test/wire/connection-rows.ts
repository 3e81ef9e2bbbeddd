import {
  cancelRun,
  checkConnection,
  createConnection,
  findUploaded,
  getConnection,
  getImport,
  importOnce,
  listChoices,
  listConnections,
  listConnectors,
  listSourceItems,
  pauseRun,
  previewConnection,
  readLibraryText,
  removeConnection,
  resumeRun,
  retryRun,
  startRun,
  updateConnection,
  type ConnectionRunWire,
  type ConnectionWire,
  type In,
} from "@carrel/contracts";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const connectionId = "0b7d2c7e-3c52-4b6a-9a53-000000000011";
const at = "2026-11-29T00:00:00.000Z";
const run: ConnectionRunWire = {
  id: "0b7d2c7e-3c52-4b6a-9a53-000000000012",
  connectionId,
  state: "running",
  isListed: true,
  found: 12,
  fetched: 8,
  unchanged: 1,
  skipped: 2,
  failed: 0,
  removed: 0,
  bytes: 4_096,
  startedBy: null,
  createdAt: at,
  startedAt: at,
  endedAt: null,
  waitsUntil: null,
  fault: null,
};
const connection: ConnectionWire = {
  id: connectionId,
  connector: "website",
  name: "docs.example.com",
  settings: { url: "https://docs.example.com/" },
  hasCredential: false,
  ownerId: null,
  mayChange: true,
  mirrorPermissions: false,
  matchAccounts: false,
  accessCheckedAt: null,
  accessFault: null,
  documents: 9,
  createdAt: at,
  updatedAt: at,
  run,
};
const preview = {
  items: 2,
  bytes: null,
  skipped: [],
  isComplete: false,
  examples: [{ title: "https://docs.example.com/", address: "https://docs.example.com/" }],
  permissions: false,
  access: null,
};
const missing = "https://a.example/missing";
const uploaded = {
  id: documentId,
  url: "file://a.example.html",
  title: "a.example.html",
  docAuthor: "no author found",
  description: "No description found.",
  docSource: "URL link uploaded by the user.",
  chunkSource: "link://https://a.example/",
  published: "11/29/2026, 12:00:00 AM",
  wordCount: 2,
  token_count_estimate: 3,
  location: "custom-documents/url-a.example.json",
  isDirectUpload: false,
};
const base = "/workspace/w/connections";
const draft = { connector: "website", settings: connection.settings };

export function answerConnectionRows({ connectors, ingest }: TestInstance): void {
  connectors
    .answer(listConnectors, { connectors: [] })
    .answer(listConnections, { connections: [connection] })
    .answer(getConnection, { connection, runs: [run] })
    .answer(createConnection, { connection })
    .answer(updateConnection, { connection })
    .answer(removeConnection, { success: true, documents: 9 })
    .answer(checkConnection, {
      success: false,
      fault: { code: "source.missing", params: { host: "docs.example.com" } },
    })
    .answer(listChoices, { choices: ["main", "next"], fault: null })
    .answer(previewConnection, preview)
    .answer(importOnce, ({ settings: { url } }: In<typeof importOnce>) => ({
      runId: url === missing ? run.id : connectionId,
    }))
    .answer(getImport, ({ runId }: In<typeof getImport>) => ({
      run: { ...run, id: runId, state: "finished" as const, endedAt: at },
      documentIds: runId === run.id ? [] : [documentId],
      firstFault: { code: "source.missing", params: { host: "a.example" } },
    }))
    .answer(listSourceItems, { items: [], reasons: [], nextCursor: null });
  ingest
    .answer(findUploaded, { documents: [uploaded], next: null })
    .answer(readLibraryText, { text: 'Some "text".', next: null });
  for (const action of [startRun, pauseRun, resumeRun, cancelRun, retryRun])
    connectors.answer(action, { run });
}

const action = (verb: string): Row =>
  row(`connectors.run.${verb}`, ["POST", `${base}/${connectionId}/${verb}`, {}], 200, json, {
    body: { run },
  });

/** Sources of a workspace (Carrel-specific). */
export const connectionRows: Row[] = [
  row("connectors.connector.list", ["GET", "/connectors"], 200, json, {
    body: { connectors: [] },
  }),
  row("connectors.connection.list", ["GET", base], 200, json, {
    body: { connections: [connection] },
  }),
  row("connectors.connection.get", ["GET", `${base}/${connectionId}`], 200, json, {
    body: { connection, runs: [run] },
  }),
  row("connectors.connection.create", ["POST", base, draft], 200, json, { body: { connection } }),
  row(
    "connectors.connection.update",
    ["PUT", `${base}/${connectionId}`, { name: "Handbook" }],
    200,
    json,
    { body: { connection } },
  ),
  row("connectors.connection.remove", ["DELETE", `${base}/${connectionId}`, {}], 200, json, {
    body: { success: true, documents: 9 },
  }),
  row("connectors.connection.check", ["POST", `${base}/check`, draft], 200, json, {
    body: {
      success: false,
      error: "docs.example.com doesn't have this item.",
    },
  }),
  row(
    "connectors.connection.choices",
    ["POST", `${base}/choices`, { ...draft, field: "branch" }],
    200,
    json,
    { body: { choices: ["main", "next"], error: null } },
  ),
  row("connectors.connection.preview", ["POST", `${base}/preview`, draft], 200, json, {
    body: preview,
  }),
  // wire-contract 6.7: documents as in 6.2, without a reason; "Failure: `{success:false,reason:string,data}`", always 200.
  row(
    "gateway.connector.website",
    ["POST", "/ext/website-depth", { url: "https://a.example/" }],
    200,
    json,
    { body: { success: true, data: [{ ...uploaded, pageContent: 'Some "text".' }] } },
  ),
  row(
    "gateway.connector.website",
    ["POST", "/ext/website-depth", { url: missing, depth: "1", maxLinks: 20 }],
    200,
    json,
    {
      body: { success: false, data: null, reason: "a.example doesn't have this item." },
    },
  ),
  // wire-contract 6.7: "data `{title,author,destination}`".
  row(
    "gateway.connector.youtube",
    ["POST", "/ext/youtube/transcript", { url: "https://youtu.be/video000001" }],
    200,
    json,
    {
      body: {
        success: true,
        reason: null,
        data: {
          title: uploaded.title,
          author: uploaded.docAuthor,
          destination: "custom-documents",
        },
      },
    },
  ),
  row(
    "gateway.connector.youtube",
    ["POST", "/ext/youtube/transcript", { url: missing }],
    200,
    json,
    {
      body: { success: false, data: null, reason: "a.example doesn't have this item." },
    },
  ),
  // wire-contract 6.7: "data `{files,destination}`".
  row(
    "gateway.connector.paperless-ngx",
    ["POST", "/ext/paperless-ngx", { baseUrl: "https://a.example/", apiToken: "x" }],
    200,
    json,
    {
      body: { success: true, reason: null, data: { files: 1, destination: "custom-documents" } },
    },
  ),
  row(
    "gateway.connector.paperless-ngx",
    ["POST", "/ext/paperless-ngx", { baseUrl: missing }],
    200,
    json,
    {
      body: { success: false, data: null, reason: "a.example doesn't have this item." },
    },
  ),
  // wire-contract 6.7: "(error key `error` not `reason` on empty)".
  row("gateway.connector.obsidian", ["POST", "/ext/obsidian/vault", { files: [] }], 200, json, {
    body: { success: false, data: null, error: "No files were sent." },
  }),
  ...["start", "pause", "resume", "cancel", "retry"].map(action),
  row("connectors.item.list", ["GET", `${base}/${connectionId}/items`], 200, json, {
    body: { items: [], reasons: [], nextCursor: null },
  }),
];
