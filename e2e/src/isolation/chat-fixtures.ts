import * as c from "@carrel/contracts";
import { form, plain, inWorkspace, inThread, type Entry, type Fixture } from "./fixture.ts";

/** Reads the usage of October, in which there was none. */
const ofPeriod: Fixture = {
  names: [],
  call: () => ({ query: { from: "2025-10-01", to: "2025-10-31" } }),
};

export const chatFixtures: Entry[] = [
  // Threads, turns, generations
  [c.listThreads, inWorkspace()],
  [c.createThread, inWorkspace({})],
  [c.updateThread, inThread({ name: "Renamed" })],
  [c.updateDefaultThread, inWorkspace({ pinned: false })],
  [c.clearDefaultThread, { ...inWorkspace(), deletes: true }],
  [c.deleteThread, { ...inThread(), deletes: true }],
  [
    c.deleteThreads,
    {
      names: ["workspace", "thread"],
      deletes: true,
      call: ({ slug, threadSlug }) => ({ params: { slug }, body: { slugs: [threadSlug] } }),
    },
  ],
  [c.listChats, inWorkspace()],
  [c.listThreadChats, inThread()],
  [
    c.listTurns,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({ params: { slug }, query: { thread: threadSlug } }),
    },
  ],
  [
    c.deleteEditedChats,
    {
      names: ["workspace"],
      deletes: true,
      call: ({ slug }) => ({ params: { slug }, body: { startingId: 2_000_000_000 } }),
    },
  ],
  [c.deleteEditedThreadChats, { ...inThread({ startingId: 2_000_000_000 }), deletes: true }],
  // The chat belongs to a thread, and this route is about the default thread.
  [
    c.updateChat,
    {
      names: ["workspace", "chat"],
      call: ({ slug, chatId }) => ({ params: { slug }, body: { chatId, newText: "Other words." } }),
      allowed: [404],
    },
  ],
  [
    c.updateThreadChat,
    {
      names: ["workspace", "thread", "chat"],
      call: ({ slug, threadSlug, chatId }) => ({
        params: { slug, threadSlug },
        body: { chatId, newText: "Other words." },
      }),
    },
  ],
  [
    c.rateChat,
    {
      names: ["workspace", "chat"],
      call: ({ slug, chatId }) => ({ params: { slug, chatId }, body: { feedback: 1 } }),
    },
  ],
  [
    c.explainRating,
    {
      names: ["workspace", "chat"],
      call: ({ slug, chatId }) => ({ params: { slug, chatId }, body: { reason: "wrong" } }),
    },
  ],
  [
    c.hideChat,
    { names: ["chat"], deletes: true, call: ({ chatId }) => ({ params: { id: chatId } }) },
  ],
  [
    c.activateTurn,
    { names: ["workspace", "chat"], call: ({ slug, chatId }) => ({ params: { slug, chatId } }) },
  ],
  [
    c.forkThread,
    {
      names: ["workspace", "thread", "chat"],
      call: ({ slug, threadSlug, chatId }) => ({ params: { slug }, body: { threadSlug, chatId } }),
    },
  ],
  // Share links
  [
    c.getShare,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({ params: { slug }, query: { thread: threadSlug } }),
    },
  ],
  [
    c.createShare,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({
        params: { slug },
        body: { thread: threadSlug, audience: "anyone", expiresInDays: 7 },
      }),
    },
  ],
  [
    c.updateShare,
    {
      names: ["share"],
      call: ({ shareId }) => ({ params: { id: shareId }, body: { refresh: true } }),
    },
  ],
  [
    c.revokeShare,
    {
      names: ["revocableShare"],
      deletes: true,
      call: ({ shareId }) => ({ params: { id: shareId } }),
    },
  ],
  [c.listShares, plain],
  [c.listAllShares, plain],
  // Whoever has the link may read the thread, so there is no foreign one.
  [c.readShare, { ...plain, call: ({ shareToken }) => ({ params: { token: shareToken } }) }],
  [c.readShareAsUser, { ...plain, call: ({ shareToken }) => ({ params: { token: shareToken } }) }],
  [
    c.getThreadModel,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({ params: { slug }, query: { thread: threadSlug } }),
    },
  ],
  [
    c.chooseThreadModel,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({
        params: { slug },
        body: { thread: threadSlug, choice: null },
      }),
    },
  ],
  [
    c.getAnswerParameters,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({ params: { slug }, query: { thread: threadSlug } }),
    },
  ],
  [
    c.setThreadParameters,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({
        params: { slug },
        body: { thread: threadSlug, parameters: {} },
      }),
    },
  ],
  [c.searchEverything, { ...plain, call: () => ({ body: { searchTerm: "isolation" } }) }],
  [
    c.exportChat,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({
        params: { type: "html" },
        body: { workspaceSlug: slug, threadSlug },
      }),
    },
  ],
  [c.listMarkedThreads, inWorkspace()],
  [c.markThread, inThread({ pinned: true })],
  [c.listTrash, inWorkspace()],
  [c.isAgentCommandAvailable, inWorkspace()],
  [c.suggestQuestions, inWorkspace()],
  // The trash is empty: it is disabled without CARREL_TRASH_DAYS.
  [c.restoreThread, { ...inThread(), allowed: [404] }],
  [c.purgeThread, { ...inThread(), allowed: [404] }],
  [
    c.speakChat,
    {
      names: ["workspace", "chat"],
      // Browsers read aloud until a provider is chosen.
      allowed: [204],
      call: ({ slug, chatId }) => ({ params: { slug, chatId } }),
    },
  ],
  [
    c.transcribeAudio,
    {
      ...plain,
      // Browsers recognize speech until a provider is chosen.
      allowed: [400],
      call: () => ({ body: form("audio", "a recording", "speech.webm", "audio/webm") }),
    },
  ],
  [
    c.deleteChats,
    {
      names: ["workspace", "chat"],
      deletes: true,
      call: ({ slug, chatId }) => ({ params: { slug }, body: { chatIds: [chatId] } }),
    },
  ],
  [c.streamChat, inWorkspace({ message: "What does the isolation test say?" })],
  [c.streamThreadChat, inThread({ message: "What does the isolation test say?" })],
  [c.getThreadGeneration, inThread()],
  [
    c.attachGenerationStream,
    { names: ["generation"], call: ({ generationId }) => ({ params: { id: generationId } }) },
  ],
  [
    c.cancelGeneration,
    { names: ["generation"], call: ({ generationId }) => ({ params: { id: generationId } }) },
  ],
  // Recorded chats
  [c.listRecordedChats, plain],
  [c.exportRecordedChats, plain],
  // A chat that doesn't exist, because -1 would delete everyone's.
  [c.deleteRecordedChats, { ...plain, call: () => ({ params: { id: 2_000_000_000 } }) }],
  // Usage
  [c.getUsage, ofPeriod],
  [c.getOwnUsage, ofPeriod],
  [c.exportUsage, ofPeriod],
  [c.listBudgets, plain],
  [c.listBudgetNotices, plain],
  [
    c.createBudget,
    {
      names: [],
      call: () => ({
        body: {
          subject: "user",
          // No two calls create the same budget, and none applies to a user of this test.
          subjectId: 1_000_000_000 + Math.floor(Math.random() * 1_000_000_000),
          period: "month",
          unit: "tokens",
          warnAt: null,
          stopAt: 1_000_000,
        },
      }),
    },
  ],
  [
    c.updateBudget,
    {
      names: [],
      call: () => ({ params: { id: "2000000000" }, body: { warnAt: null, stopAt: 1 } }),
      allowed: [404],
    },
  ],
  [c.deleteBudget, { names: [], call: () => ({ params: { id: "2000000000" } }), allowed: [404] }],
  // Models that the instance runs itself
  [c.listLocalModels, plain],
  [
    c.downloadLocalModel,
    {
      names: [],
      call: () => ({ params: { id: "isolated" }, body: { licenseAccepted: true } }),
      // Off, or unknown.
      allowed: [404, 409, 503],
    },
  ],
  [c.cancelLocalModel, { names: [], call: () => ({ params: { id: "isolated" } }), allowed: [404] }],
  [
    c.deleteLocalModel,
    { names: [], call: () => ({ params: { file: "isolated.gguf" } }), allowed: [404, 503] },
  ],
];
