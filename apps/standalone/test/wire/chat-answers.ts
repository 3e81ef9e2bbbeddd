import {
  activateTurn,
  chooseThreadModel,
  clearDefaultThread,
  updateDefaultThread,
  getAnswerParameters,
  setThreadParameters,
  countContextTokens,
  countVectors,
  deleteEditedChats,
  deleteEditedThreadChats,
  deleteParsedFiles,
  explainRating,
  exportThread,
  findParsedFiles,
  findThreadId,
  forkThread,
  getThreadModel,
  hideChat,
  isAgentCommandAvailable,
  listMarkedThreads,
  listTrash,
  markThread,
  openSpeech,
  promoteParsedFile,
  purgeThread,
  rateChat,
  readWorkspaceDocuments,
  registerParsedFile,
  resetVectorDatabase,
  restoreThread,
  searchChats,
  suggestQuestions,
  transcribeRecording,
  updateChat,
  updatePin,
  updateThreadChat,
  updateWatchStatus,
} from "@carrel/contracts";
import { documentId, thread } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";

const date = "2026-11-21T00:00:00.000Z";

export const threadModel = {
  provider: "openai",
  providerName: "OpenAI",
  model: "gpt-4.1-nano",
  isOwnChoice: false,
  seesImages: true,
  mayChoose: true,
};
export const file = {
  id: 4,
  filename: `dropped.txt-${documentId}.json`,
  workspaceId: 1,
  userId: null,
  threadId: 3,
  metadata: '{"title":"dropped.txt"}',
  tokenCountEstimate: 12,
  createdAt: date,
};

export const embedded = {
  id: 8,
  docId: documentId,
  filename: "dropped.txt.json",
  docpath: "custom-documents/dropped.txt.json",
  workspaceId: 1,
  metadata: '{"title":"dropped.txt"}',
  pinned: false,
  watched: false,
  createdAt: date,
  lastUpdatedAt: date,
};

export const marked = { ...thread, pinnedAt: date, archivedAt: null };
export const trashed = { ...thread, deletedAt: date, purgedAt: "2026-12-21T00:00:00.000Z" };

export const message = {
  chatId: 9,
  threadSlug: "a-thread",
  threadName: "Thread",
  excerpt: "Another word",
  sentAt: 1,
};

export const threadParameters = {
  thread: { maxTokens: 500 },
  workspace: { topP: 0.9, temperature: null },
  supports: { maxTokens: true, temperature: true, topP: true, effort: false, systemPrompt: true },
  workspaceSupports: {
    maxTokens: true,
    temperature: true,
    topP: true,
    effort: false,
    systemPrompt: true,
  },
};

/** Replies of chat and ingest to the rows below, in addition to `answerEverything`. */
export function answerChatRows({ chat, ingest }: TestInstance): void {
  for (const operation of [
    deleteEditedChats,
    deleteEditedThreadChats,
    updateChat,
    updateThreadChat,
    purgeThread,
  ])
    chat.answer(operation, undefined);
  chat
    .answer(openSpeech, { speech: null })
    .answer(transcribeRecording, { text: "Meet me at noon." })
    .answer(rateChat, { success: true })
    .answer(explainRating, { success: true })
    .answer(hideChat, { success: true, error: null })
    .answer(activateTurn, { success: true })
    .answer(forkThread, { newThreadSlug: "forked" })
    .answer(listMarkedThreads, { threads: [marked], defaultThreadChatCount: 0 })
    .answer(markThread, { success: true })
    .answer(getThreadModel, threadModel)
    .answer(updateDefaultThread, { success: true })
    .answer(clearDefaultThread, { success: true })
    .answer(getAnswerParameters, threadParameters)
    .answer(setThreadParameters, { success: true })
    .answer(chooseThreadModel, { ...threadModel, isOwnChoice: true })
    .answer(listTrash, { days: 30, threads: [trashed] })
    .answer(isAgentCommandAvailable, { showAgentCommand: true })
    .answer(suggestQuestions, { hasModel: true, questions: [] })
    .answer(restoreThread, { thread })
    .answer(searchChats, {
      threads: [{ slug: "a-thread", name: "Thread", workspaceId: 1 }],
      messages: [{ ...message, workspaceId: 1 }],
    })
    .answer(exportThread, {
      name: "Thread",
      turns: [
        {
          id: 9,
          question: "Hi",
          answer: "Hello",
          reasoning: [],
          sources: [{ title: "a.txt", page: 2 }],
          sentAt: 0,
          mode: "chat",
        },
      ],
      next: null,
      nextFrom: 0,
    })
    .answer(findThreadId, { threadId: 3 })
    .answer(countContextTokens, { currentContextTokenCount: 12 });
  for (const operation of [updatePin, updateWatchStatus, resetVectorDatabase, deleteParsedFiles])
    ingest.answer(operation, undefined);
  ingest
    .answer(countVectors, { vectorCount: 17 })
    .answer(registerParsedFile, { id: 4, documentId })
    .answer(findParsedFiles, {
      files: [
        {
          ...file,
          title: "dropped.txt",
          location: file.filename,
          documentId,
          state: "parsed",
          reason: null,
        },
      ],
    })
    .answer(promoteParsedFile, { documentId })
    .answer(readWorkspaceDocuments, {
      items: JSON.stringify(embedded),
      next: null,
      hasFiles: true,
    });
}
