import {
  addDocuments,
  createFolder,
  embedAgain,
  findLocalFiles,
  getLibraryDocumentText,
  leaveEmbedQueue,
  listFolders,
  listLibrary,
  listLibraryFolder,
  moveDocuments,
  moveLibraryFiles,
  openLibraryTree,
  pinDocuments,
  purgeDocuments,
  removeDocument,
  removeDocuments,
  removeFolder,
  renameFolder,
  rereadDocuments,
  searchLocalFiles,
  signOriginal,
  tagDocuments,
  takeOutDocuments,
  type FileItem,
  type LibraryDocument,
} from "@carrel/contracts";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, text, type Row } from "./wire-row.ts";

const docpath = "custom-documents/a.json";
const file: FileItem = {
  name: "a.json",
  type: "file",
  id: documentId,
  url: "file://a.txt",
  title: "a.txt",
  docAuthor: "Unknown",
  description: "Unknown",
  docSource: "a text file uploaded by the user.",
  chunkSource: "",
  published: "11/21/2026, 12:00:00 AM",
  wordCount: 2,
  token_count_estimate: 3,
  cached: false,
  canWatch: false,
  pinnedWorkspaces: [1],
  watched: false,
};
const document: LibraryDocument = {
  documentId,
  docpath,
  folder: "custom-documents",
  title: "a.txt",
  filename: "a.txt",
  kind: "text",
  mime: "text/plain",
  bytes: 10,
  pages: null,
  wordCount: 2,
  state: "parsed",
  reason: null,
  addedAt: "2026-11-21T00:00:00.000Z",
  source: file.docSource,
  canWatch: false,
  tags: ["legal"],
  hasOriginal: true,
  workspaces: [1],
};
const folder = { name: "custom-documents", documents: 1, failed: 0 };
const tree = { name: "custom-documents", type: "folder" as const, items: [file] };
const read = {
  title: "a.ts",
  mime: "text/x-typescript",
  text: "Text",
  start: 0,
  end: 4,
  length: 4,
  pages: null,
  page: null,
  lines: { first: 1, last: 1 },
  headingPath: [],
  rectangles: [],
  originalUrl: "/api/blob/a.b",
};
const outcome = { affected: 1, skipped: 0, message: null };
const selection = { documentIds: [documentId] };
const done = { success: true, message: null };

/** As ingest does it: by a pipe, a few characters at a time. */
export function answerTree(
  {
    ingest,
    shared: {
      messaging: { pipes },
    },
  }: TestInstance,
  whole: object,
): void {
  ingest.answer(openLibraryTree, async () => {
    const pipe = randomUUID();
    await pipes.open(pipe);
    void pipes.write(
      pipe,
      Readable.from(JSON.stringify(whole).match(/[^]{1,50}/g)!),
      new AbortController().signal,
    );
    return { pipe };
  });
}

/** What ingest says in these rows. */
export function answerLibraryRows(instance: TestInstance): void {
  const { ingest } = instance;
  ingest
    .answer(listFolders, { folders: [folder], documents: 1, tags: ["legal"] })
    .answer(listLibrary, { documents: [document], total: 1 })
    .answer(createFolder, done)
    .answer(renameFolder, { success: true })
    .answer(removeFolder, undefined)
    .answer(removeDocument, undefined)
    .answer(removeDocuments, undefined)
    .answer(searchLocalFiles, { results: [tree] })
    .answer(findLocalFiles, { documents: [{ ...file, docpath }] })
    .answer(moveLibraryFiles, { moved: 1, held: 1, failed: 0 })
    .answer(leaveEmbedQueue, { success: true })
    .answer(signOriginal, { url: "/api/blob/a.b" })
    .answer(getLibraryDocumentText, read);
  answerTree(instance, {
    localFiles: {
      name: "documents",
      type: "folder",
      items: [tree, { name: "Empty", type: "folder", items: [] }],
    },
  });
  ingest.answer(listLibraryFolder, (({ folder: name }: { folder: string }) =>
    name === "nobody"
      ? { files: [], total: 0, exists: false }
      : { files: [file], total: 1, exists: true }) as never);
  for (const operation of [
    moveDocuments,
    tagDocuments,
    purgeDocuments,
    rereadDocuments,
    addDocuments,
    takeOutDocuments,
    embedAgain,
    pinDocuments,
  ])
    ingest.answer(operation, outcome);
}

/** The library: of existing clients (wire-contract 2.4, 3.3, 6.1) and of ours. */
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
    { body: { documents: [document], total: 1 } },
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
];
