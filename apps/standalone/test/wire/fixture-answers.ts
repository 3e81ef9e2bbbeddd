import { randomUUID } from "node:crypto";
import {
  attachGeneration,
  cancelGeneration,
  changeWorkspaceDocuments,
  createThread,
  deleteChats,
  deleteThread,
  deleteThreads,
  fetchLink,
  getContextWindow,
  getDocumentStates,
  getDocumentText,
  getEmbeddingState,
  getProcessorStatus,
  getThreadGeneration,
  listAcceptedTypes,
  listDocumentCounts,
  listDocumentStatuses,
  listThreads,
  listTurns,
  readHistory,
  readWorkspaceDocuments,
  registerDocument,
  removeAndUnembed,
  removeWorkspaceDocument,
  retryDocument,
  startGeneration,
  type Out,
  updateThread,
  type DocumentState,
  type In,
  type ReasonWire,
  type ThreadWire,
} from "@carrel/contracts";
import type { RequestContext } from "@carrel/messaging";
import type { TestInstance } from "./instance.ts";

export const documentId = "0b7d2c7e-3c52-4b6a-9a53-000000000001";
export const thread: ThreadWire = {
  id: 3,
  name: "Thread",
  slug: "a-thread",
  workspace_id: 1,
  user_id: null,
  createdAt: "2026-11-21T00:00:00.000Z",
  lastUpdatedAt: "2026-11-21T00:00:00.000Z",
};

/** Replies to any question as if it were a command. */
export const commandReply: Out<typeof startGeneration> = {
  generationId: null,
  chatId: null,
  queued: false,
  frames: [
    {
      uuid: randomUUID(),
      type: "textResponse",
      textResponse: "Chat memory was reset!",
      sources: [],
      close: true,
      error: false,
      action: "reset_chat",
    },
  ],
};

/** Plausible replies of chat, ingest and connectors to every operation that the gateway calls. */
export function answerEverything({ chat, ingest, connectors }: TestInstance): void {
  chat
    .answer(listThreads, { threads: [thread], defaultThreadChatCount: 0 })
    .answer(createThread, { thread, message: null })
    .answer(updateThread, { thread: { ...thread, name: "Renamed" }, fault: null })
    .answer(deleteThread, undefined)
    .answer(deleteThreads, undefined)
    .answer(readHistory, ({ thread: slug }: In<typeof readHistory>) => ({
      version: "1",
      page: {
        items:
          slug === null
            ? '{"role":"user","content":"Hi","sentAt":1,"attachments":[],"chatId":9}'
            : "",
        next: null,
        hasImages: false,
      },
    }))
    .answer(listTurns, { turns: [], hasMore: false })
    .answer(deleteChats, undefined)
    .answer(startGeneration, commandReply)
    .answer(attachGeneration, {
      chatId: 9,
      state: "done",
      frames: [{ type: "generationStarted", generationId: documentId, chatId: 9, queued: false }],
    })
    .answer(cancelGeneration, { success: true })
    .answer(getThreadGeneration, { generation: null })
    .answer(getContextWindow, { contextWindow: 128_000 });
  ingest
    .answer(getProcessorStatus, undefined)
    .answer(listAcceptedTypes, { types: { "text/plain": [".txt", ".md"] } })
    .answer(listDocumentCounts, { counts: [] })
    .answer(listDocumentStatuses, { documents: [], total: 0, nextCursor: null, passages: 0 })
    .answer(retryDocument, { success: true })
    .answer(removeWorkspaceDocument, { success: true })
    .answer(removeAndUnembed, undefined)
    .answer(getDocumentText, {
      title: "a.txt",
      mime: "text/plain",
      text: "Text",
      start: 0,
      end: 4,
      length: 4,
      pages: null,
      page: null,
      lines: null,
      headingPath: [],
      rectangles: [],
      pageSize: null,
      originalUrl: null,
    })
    .answer(readWorkspaceDocuments, { items: "", next: null, hasFiles: false })
    .answer(changeWorkspaceDocuments, { added: [], errors: [] })
    .answer(registerDocument, { documentId, title: "a.txt" })
    .answer(getEmbeddingState, {
      hasEmbeddings: false,
      native: { state: "ready", fault: null, progress: null },
    });
  answerState(ingest, "searchable");
  connectors.answer(fetchLink, { documentId, title: "A page" });
}

/**
 * Every requested document has this state; `library` is its parsing state, independent of any
 * workspace.
 */
export function answerState(
  ingest: TestInstance["ingest"],
  state: DocumentState,
  reason: ReasonWire | null = null,
  library: DocumentState = state,
): void {
  const docpath = "custom-documents/a.json";
  ingest.answer(getDocumentStates, ((
    { documentIds }: { documentIds: string[] },
    { scope }: RequestContext,
  ) => ({
    documents: documentIds.map((id) => ({
      documentId: id,
      docpath,
      state: scope.workspace === null ? library : state,
      reason,
    })),
  })) as never);
}

export function fileForm(
  name = "a.txt",
  content: string | Uint8Array<ArrayBuffer> = "Some text.",
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  form.append("file", new Blob([content], { type: "text/plain" }), name);
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  return form;
}
