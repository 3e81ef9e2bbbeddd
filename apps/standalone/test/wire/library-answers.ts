import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  changeEncoding,
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
  reparseDocuments,
  searchLocalFiles,
  signOriginal,
  tagDocuments,
  removeWorkspaceDocuments,
  type FileItem,
  type LibraryDocument,
} from "@carrel/contracts";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";

export const docpath = "custom-documents/a.json";

export const file: FileItem = {
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

export const document: LibraryDocument = {
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

export const folder = { name: "custom-documents", title: null, documents: 1, failed: 0 };

export const tree = { name: "custom-documents", type: "folder" as const, items: [file] };

export const read = {
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
  pageSize: null,
  originalUrl: "/api/blob/a.b",
};

export const outcome = { affected: 1, skipped: 0 };

export const done = { success: true, message: null };

/** As ingest does: through a pipe, a few characters at a time. */
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

/** Ingest's replies in these rows. */
export function answerLibraryRows(instance: TestInstance): void {
  const { ingest } = instance;
  ingest
    .answer(listFolders, { folders: [folder], documents: 1, tags: ["legal"] })
    .answer(listLibrary, { documents: [document], total: 1, nextCursor: null })
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
    .answer(changeEncoding, { success: true })
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
    reparseDocuments,
    addDocuments,
    removeWorkspaceDocuments,
    embedAgain,
    pinDocuments,
  ])
    ingest.answer(operation, outcome);
}
