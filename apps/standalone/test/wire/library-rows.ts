import { documentId } from "./fixture-answers.ts";
import { docpath, document, done, file, folder, outcome, read, tree } from "./library-answers.ts";
import { json, row, text, type Row } from "./wire-row.ts";

const selection = { documentIds: [documentId] };

/** The library, for existing clients (wire-contract 2.4, 3.3, 6.1) and for ours. */
export const libraryRows: Row[] = [
  row("gateway.document.tree", ["GET", "/system/local-files"], 200, json, {
    body: {
      localFiles: {
        name: "documents",
        type: "folder",
        items: [tree, { name: "Empty", type: "folder", items: [] }],
      },
    },
  }),
  row("gateway.document.tree", ["GET", "/system/local-files?folder=custom-documents"], 200, json, {
    body: {
      folder: "custom-documents",
      documents: [file],
      totalCount: 1,
      hasMore: false,
      code: 200,
      error: null,
    },
  }),
  row(
    "gateway.document.tree",
    ["GET", "/system/local-files?folder=custom-documents&offset=0&limit=all"],
    200,
    json,
    {
      body: {
        folder: "custom-documents",
        documents: [file],
        totalCount: 1,
        hasMore: false,
        code: 200,
        error: null,
      },
    },
  ),
  row("gateway.document.tree", ["GET", "/system/local-files?folder=nobody"], 404, json, {
    body: {
      folder: "nobody",
      documents: [],
      totalCount: 0,
      hasMore: false,
      code: 404,
      error: "Folder does not exist.",
    },
  }),
  row("ingest.library.search-files", ["GET", "/system/local-files/search?q=a"], 200, json, {
    body: { results: [tree] },
  }),
  row(
    "ingest.library.by-docpaths",
    ["POST", "/system/local-files/by-docpaths", { docpaths: [docpath] }],
    200,
    json,
    { body: { documents: [{ ...file, docpath }] } },
  ),
  row(
    "ingest.library.remove-document",
    ["DELETE", "/system/remove-document", { name: docpath }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "ingest.library.remove-documents",
    ["DELETE", "/system/remove-documents", { names: [docpath] }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "ingest.library.remove-folder",
    ["DELETE", "/system/remove-folder", { name: "custom-documents" }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "ingest.library.create-folder",
    ["POST", "/document/create-folder", { name: "Contracts" }],
    200,
    json,
    { body: done },
  ),
  row(
    "gateway.library.move-files",
    [
      "POST",
      "/document/move-files",
      {
        files: [
          { from: docpath, to: "Contracts/a.json" },
          { from: "custom-documents/b.json", to: "Contracts/b.json" },
        ],
      },
    ],
    200,
    json,
    {
      body: { success: true, message: "1/2 files not moved. Unembed them from all workspaces." },
    },
  ),
  row(
    "ingest.workspace-document.leave-queue",
    ["DELETE", "/workspace/w/embed-queue", { filename: docpath }],
    200,
    json,
    { body: { success: true } },
  ),
  row("ingest.library.folders", ["GET", "/library/folders"], 200, json, {
    body: { folders: [folder], documents: 1, tags: ["legal"] },
  }),
  row(
    "ingest.library.page",
    ["POST", "/library/search", { filter: { search: "a" }, limit: 10 }],
    200,
    json,
    { body: { documents: [document], total: 1, nextCursor: null } },
  ),
  row(
    "ingest.library.rename-folder",
    ["POST", "/library/folders/rename", { from: "a", to: "b" }],
    200,
    json,
    { body: { success: true } },
  ),
  row(
    "ingest.library.move",
    ["POST", "/library/move", { selection, folder: "Contracts" }],
    200,
    json,
    { body: outcome },
  ),
  row("ingest.library.tag", ["POST", "/library/tag", { selection, add: ["legal"] }], 200, json, {
    body: outcome,
  }),
  row(
    "ingest.library.purge",
    ["POST", "/library/purge", { selection: { filter: { folder: "Contracts", deep: true } } }],
    200,
    json,
    { body: outcome },
  ),
  row("ingest.library.reread", ["POST", "/library/reread", { selection }], 200, json, {
    body: outcome,
  }),
  row(
    "ingest.document.change-encoding",
    ["POST", `/library/documents/${documentId}/encoding`, { encoding: "KOI8-R" }],
    200,
    json,
    { body: { success: true } },
  ),
  row(
    "ingest.workspace-document.add",
    ["POST", "/workspace/w/documents/add", { selection }],
    200,
    json,
    { body: outcome },
  ),
  row(
    "ingest.workspace-document.take-out",
    ["POST", "/workspace/w/documents/take-out", { selection }],
    200,
    json,
    { body: outcome },
  ),
  row(
    "ingest.workspace-document.embed-again",
    ["POST", "/workspace/w/documents/embed-again", { selection }],
    200,
    json,
    { body: outcome },
  ),
  row(
    "ingest.workspace-document.pin-many",
    ["POST", "/workspace/w/documents/pin", { selection, pinned: true }],
    200,
    json,
    { body: outcome },
  ),
  row("ingest.library.original", ["GET", `/library/documents/${documentId}/original`], 200, json, {
    body: { url: "/api/blob/a.b" },
  }),
  row(
    "ingest.library.text",
    ["GET", `/library/documents/${documentId}/text?start=0&end=4&markStart=0&markEnd=4`],
    200,
    json,
    { body: read },
  ),
  row(
    "ingest.document.text",
    ["GET", `/workspace/w/documents/${documentId}/text?start=0&end=4`],
    200,
    json,
    {
      keys: [
        "title",
        "mime",
        "text",
        "start",
        "end",
        "length",
        "pages",
        "page",
        "pageSize",
        "headingPath",
        "rectangles",
        "originalUrl",
        "lines",
      ],
    },
  ),
];
