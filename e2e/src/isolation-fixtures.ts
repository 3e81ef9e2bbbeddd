import * as contracts from "@carrel/contracts";
import type { Operation } from "@carrel/contracts";
import {
  password,
  type Caller,
  type Resource,
  type Things,
  type World,
} from "./isolation-world.ts";

/** One call of an operation, built from the resources it refers to. */
export interface Fixture {
  /**
   * The kinds of another person's or nonexistent resources that the call can refer to; each is
   * tried separately.
   */
  names: Resource[];
  /** Body, further parameters, and a separate session if the call ends the one it uses. */
  call(things: Things, world: World, caller: Caller): Promise<Call> | Call;
  /**
   * The call deletes what it refers to, so it gets fresh resources, and visibility of a foreign one
   * is not tried.
   */
  takesAway?: boolean;
  /**
   * Statuses for a permitted caller; defaults to the contract's. Lists rejections for reasons other
   * than permissions.
   */
  allowed?: number[];
}
export interface Call {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: unknown;
  token?: string | null;
}

const plain: Fixture = { names: [], call: () => ({}) };
const inWorkspace = (body?: unknown): Fixture => ({
  names: ["workspace"],
  call: ({ slug }) => ({ params: { slug }, body }),
});
const inThread = (body?: unknown): Fixture => ({
  names: ["workspace", "thread"],
  call: ({ slug, threadSlug }) => ({ params: { slug, threadSlug }, body }),
});
/** A multipart body with one field. */
const form = (
  field: string,
  content: Uint8Array<ArrayBuffer> | string,
  filename: string,
  type: string,
  more: Record<string, string> = {},
): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(more)) data.set(name, value);
  data.set(field, new Blob([content], { type }), filename);
  return data;
};
/** A one-pixel PNG. */
const pixel = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
/**
 * A user created for this call alone; in single-user mode the route is closed before the user is
 * looked up.
 */
const freshUser = async (world: World): Promise<number> =>
  world.mode === "multi" ? (await world.makeUser()).id : 1;
const freshInvite = async (world: World): Promise<{ id: number; code: string }> =>
  world.mode === "multi"
    ? (
        await world.root.json<{ invite: { id: number; code: string } }>(
          "POST",
          "/admin/invite/new",
          {},
        )
      ).invite
    : { id: 1, code: "none" };
const freshKey = async (world: World): Promise<number> =>
  (
    await world.root.json<{ apiKey: { id: number } }>(
      "POST",
      world.mode === "multi" ? "/admin/generate-api-key" : "/system/generate-api-key",
      {},
    )
  ).apiKey.id;
const freshVariable = async (world: World): Promise<number> =>
  (
    await world.root.json<{ variable: { id: number } }>("POST", "/system/prompt-variables", {
      key: `fresh_${Math.random().toString(36).slice(2, 10)}`,
      value: "x",
    })
  ).variable.id;
/** A session for a call that ends sessions or changes their account. */
async function freshSession(world: World, caller: Caller): Promise<{ token?: string | null }> {
  if (caller.kind !== "session") return {};
  if (world.mode === "single") return { token: (await world.signIn("", password)).token };
  const user = await world.makeUser(caller.role);
  return { token: (await world.signIn(user.username, password)).token };
}

const c = contracts;
/** By operation, or by the name of one of its alternative routes. */
const entries: [Operation | string, Fixture][] = [
  // Sessions, modes, recovery
  [c.checkToken, plain],
  [c.refreshUser, plain],
  [c.getMultiUserMode, plain],
  [c.listSessions, plain],
  [
    c.requestToken,
    {
      ...plain,
      call: (_things, world) => ({
        body: world.mode === "multi" ? { username: "administrator", password } : { password },
      }),
    },
  ],
  [
    c.requestTokenBySignInToken,
    { ...plain, call: () => ({ query: { token: "allm-tat-unknown" } }), allowed: [401, 403, 429] },
  ],
  [c.signOut, { ...plain, call: (_things, world, caller) => freshSession(world, caller) }],
  // The caller's own one is another session of the same person, so that the caller stays signed in.
  [
    c.endSession,
    {
      names: ["session"],
      takesAway: true,
      call: ({ sessionId }) => ({ params: { id: sessionId } }),
    },
  ],
  [
    c.enableMultiUser,
    { ...plain, call: () => ({ body: { username: "x", password: "x" } }), allowed: [200, 400] },
  ],
  [
    c.updatePassword,
    { ...plain, call: () => ({ body: { usePassword: true, newPassword: "short" } }) },
  ],
  [
    c.recoverAccount,
    {
      ...plain,
      call: () => ({ body: { username: "nobody-at-all", recoveryCodes: ["a", "b"] } }),
      allowed: [400, 403, 429],
    },
  ],
  [
    c.resetPassword,
    {
      ...plain,
      call: () => ({ body: { token: "x", newPassword: password, confirmPassword: password } }),
      allowed: [400, 403, 429],
    },
  ],
  [
    c.renewRecoveryCodes,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [
    c.startSecondFactor,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [
    c.confirmSecondFactor,
    { ...plain, call: () => ({ body: { code: "000000" } }), allowed: [400, 429] },
  ],
  [
    c.removeSecondFactor,
    { ...plain, call: () => ({ body: { password: "wrong" } }), allowed: [400, 429] },
  ],
  [c.startOpenId, { ...plain, allowed: [302, 403] }],
  [c.finishOpenId, { ...plain, allowed: [302, 400, 403] }],
  // Profile, users, invites
  [c.updateProfile, { ...plain, call: () => ({ body: { bio: "Reads." } }) }],
  [
    c.getProfilePicture,
    {
      ...plain,
      call: (_things, _world, caller) => ({ params: { id: caller.userId ?? 1 } }),
      allowed: [200, 204],
    },
  ],
  [
    c.uploadProfilePicture,
    { ...plain, call: () => ({ body: form("file", pixel, "me.png", "image/png") }) },
  ],
  [c.removeProfilePicture, plain],
  [c.listUsers, plain],
  [
    c.createUser,
    {
      ...plain,
      call: () => ({
        body: { username: `made-${Math.random().toString(36).slice(2, 10)}`, password },
      }),
    },
  ],
  [
    c.updateUser,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: await freshUser(world) },
        body: { bio: "Changed." },
      }),
    },
  ],
  [
    c.deleteUser,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshUser(world) } }) },
  ],
  [
    c.removeUserSecondFactor,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshUser(world) } }) },
  ],
  [
    c.getInvite,
    {
      ...plain,
      call: async (_things, world) => ({ params: { code: (await freshInvite(world)).code } }),
    },
  ],
  [
    c.acceptInvite,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { code: (await freshInvite(world)).code },
        body: { username: "x", password: "x" },
      }),
      allowed: [200, 429],
    },
  ],
  [c.listInvites, plain],
  [c.createInvite, { ...plain, call: () => ({ body: { workspaceIds: [] } }) }],
  [
    c.disableInvite,
    {
      ...plain,
      call: async (_things, world) => ({ params: { id: (await freshInvite(world)).id } }),
    },
  ],
  // Keys
  [c.listInstanceApiKeys, plain],
  [c.createInstanceApiKey, plain],
  [c.listApiKeys, plain],
  [c.createApiKey, plain],
  [
    c.deleteInstanceApiKey,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshKey(world) } }) },
  ],
  [
    c.deleteApiKey,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshKey(world) } }) },
  ],
  [c.listExtensionKeys, plain],
  [c.createExtensionKey, plain],
  [
    c.deleteExtensionKey,
    {
      names: ["extensionKey"],
      takesAway: true,
      call: ({ extensionKeyId }) => ({ params: { id: extensionKeyId } }),
    },
  ],
  [c.checkExtension, plain],
  ["gateway.extension.workspaces", plain],
  [
    c.disconnectExtension,
    {
      ...plain,
      call: async (_things, world, caller) =>
        caller.kind === "extension"
          ? {
              token: (
                await world.root.json<{ apiKey: string }>("POST", "/browser-extension/api-keys/new")
              ).apiKey,
            }
          : {},
    },
  ],
  // Workspaces, members
  [c.listWorkspaces, plain],
  [c.createWorkspace, { ...plain, call: () => ({ body: { name: "Made" } }) }],
  [c.getWorkspace, inWorkspace()],
  [c.updateWorkspace, inWorkspace({ topN: 4 })],
  [
    c.deleteWorkspace,
    {
      names: ["workspace"],
      takesAway: true,
      call: async ({ slug }, world) => ({
        params: {
          slug:
            slug === world.unknown.slug || slug === world.foreign.slug
              ? slug
              : (await world.root.makeWorkspace("To delete")).slug,
        },
      }),
    },
  ],
  [c.listAdminWorkspaces, plain],
  [c.listMembers, { ...plain, call: ({ workspaceId }) => ({ params: { id: workspaceId } }) }],
  [c.createAdminWorkspace, { ...plain, call: () => ({ body: { name: "Made" } }) }],
  [
    c.updateMembers,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: (await world.root.makeWorkspace("Members")).id },
        body: { userIds: [] },
      }),
    },
  ],
  [
    c.deleteAdminWorkspace,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: (await world.root.makeWorkspace("To delete")).id },
      }),
    },
  ],
  [c.listWorkspaceProviders, inWorkspace()],
  [c.listSuggestedMessages, inWorkspace()],
  [
    c.setSuggestedMessages,
    inWorkspace({ messages: [{ heading: "Ask", message: "What is this?" }] }),
  ],
  [c.listPromptHistory, inWorkspace()],
  [c.clearPromptHistory, inWorkspace()],
  // Managers manage every workspace, and the route is closed to others: deleting a nonexistent
  // entry is not a success.
  [c.deletePromptHistoryEntry, { ...plain, call: () => ({ params: { id: 2_000_000_000 } }) }],
  [c.getWorkspacePicture, { ...inWorkspace(), allowed: [200, 204] }],
  [c.removeWorkspacePicture, inWorkspace()],
  [
    c.uploadWorkspacePicture,
    {
      names: ["workspace"],
      call: ({ slug }) => ({
        params: { slug },
        body: form("file", pixel, "workspace.png", "image/png"),
      }),
    },
  ],
  // Prompts
  [c.listPresets, plain],
  [
    c.createPreset,
    {
      ...plain,
      call: () => ({
        body: {
          command: `/made-${Math.random().toString(36).slice(2, 10)}`,
          prompt: "Explain.",
          description: "",
        },
      }),
    },
  ],
  [
    c.updatePreset,
    {
      names: ["preset"],
      call: ({ presetId }) => ({
        params: { id: presetId },
        body: { command: `/changed-${presetId}`, prompt: "Changed.", description: "" },
      }),
    },
  ],
  [
    c.deletePreset,
    { names: ["preset"], takesAway: true, call: ({ presetId }) => ({ params: { id: presetId } }) },
  ],
  [c.listVariables, plain],
  [
    c.createVariable,
    {
      ...plain,
      call: () => ({
        body: { key: `made_${Math.random().toString(36).slice(2, 10)}`, value: "x" },
      }),
    },
  ],
  [
    c.updateVariable,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: await freshVariable(world) },
        body: { key: `changed_${Math.random().toString(36).slice(2, 10)}`, value: "y" },
      }),
    },
  ],
  [
    c.deleteVariable,
    { ...plain, call: async (_things, world) => ({ params: { id: await freshVariable(world) } }) },
  ],
  [c.getDefaultSystemPrompt, plain],
  [
    c.setDefaultSystemPrompt,
    { ...plain, call: () => ({ body: { defaultSystemPrompt: "Be brief." } }) },
  ],
  // Memories
  [c.listMemories, inWorkspace()],
  [c.createMemory, inWorkspace({ content: "Reads much.", scope: "workspace" })],
  [
    c.updateMemory,
    {
      names: ["memory"],
      call: ({ memoryId }) => ({ params: { id: memoryId }, body: { content: "Reads more." } }),
    },
  ],
  [c.promoteMemory, { names: ["memory"], call: ({ memoryId }) => ({ params: { id: memoryId } }) }],
  [
    c.demoteMemory,
    {
      names: ["workspace", "memory"],
      call: ({ slug, memoryId }) => ({ params: { id: memoryId, slug } }),
    },
  ],
  [
    c.deleteMemory,
    { names: ["memory"], takesAway: true, call: ({ memoryId }) => ({ params: { id: memoryId } }) },
  ],
  // Settings, branding, log
  [c.getSetup, plain],
  [
    c.listModels,
    { ...plain, call: () => ({ body: { provider: "ollama", basePath: "http://127.0.0.1:9" } }) },
  ],
  [c.listProviders, plain],
  [c.updateSettings, plain],
  [c.listEvents, plain],
  [c.clearEvents, plain],
  [c.completeOnboarding, plain],
  [c.getOnboarding, plain],
  [c.getCustomAppName, plain],
  [c.getFooterData, plain],
  [c.getSupportEmail, plain],
  [c.isDefaultLogo, plain],
  [c.getLogo, { ...plain, allowed: [200, 204] }],
  [
    c.uploadLogo,
    { ...plain, call: () => ({ body: form("logo", pixel, "logo.png", "image/png") }) },
  ],
  [c.removeLogo, plain],
  [c.getWelcomeMessages, plain],
  [c.setWelcomeMessages, { ...plain, call: () => ({ body: { messages: [] } }) }],
  [c.listPreferences, { ...plain, call: () => ({ query: { labels: "custom_app_name" } }) }],
  [c.updatePreferences, { ...plain, call: () => ({ body: { custom_app_name: "Isolated" } }) }],
  // Threads, turns, generations
  [c.listThreads, inWorkspace()],
  [c.createThread, inWorkspace({})],
  [c.updateThread, inThread({ name: "Renamed" })],
  [c.deleteThread, { ...inThread(), takesAway: true }],
  [
    c.deleteThreads,
    {
      names: ["workspace", "thread"],
      takesAway: true,
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
      takesAway: true,
      call: ({ slug }) => ({ params: { slug }, body: { startingId: 2_000_000_000 } }),
    },
  ],
  [c.deleteEditedThreadChats, { ...inThread({ startingId: 2_000_000_000 }), takesAway: true }],
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
    c.hideChat,
    { names: ["chat"], takesAway: true, call: ({ chatId }) => ({ params: { id: chatId } }) },
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
  [c.listTrash, inWorkspace()],
  [c.isAgentCommandAvailable, inWorkspace()],
  // The trash is empty: it is disabled without CARREL_TRASH_DAYS.
  [c.restoreThread, { ...inThread(), allowed: [404] }],
  [c.purgeThread, { ...inThread(), allowed: [404] }],
  [
    c.speakChat,
    { names: ["workspace", "chat"], call: ({ slug, chatId }) => ({ params: { slug, chatId } }) },
  ],
  [
    c.deleteChats,
    {
      names: ["workspace", "chat"],
      takesAway: true,
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
  // Documents
  [
    c.uploadDocument,
    {
      names: ["workspace"],
      call: ({ slug }) => ({
        params: { slug },
        body: form("file", "Uploaded.", "uploaded.txt", "text/plain"),
      }),
    },
  ],
  [
    c.uploadAndEmbed,
    {
      names: ["workspace"],
      call: ({ slug }) => ({
        params: { slug },
        body: form("file", "Uploaded and embedded.", "embedded.txt", "text/plain"),
      }),
    },
  ],
  // Rejected for its address, after the permission check.
  [c.uploadLink, { ...inWorkspace({ link: "http://127.0.0.1:9/" }), allowed: [200, 400] }],
  [c.updateEmbeddings, inWorkspace({ adds: [], deletes: [] })],
  [c.watchProgress, inWorkspace()],
  [c.downloadOriginal, { ...plain, call: () => ({ params: { token: "none" } }), allowed: [404] }],
  // All managers share one library, so they may remove a document of another workspace: only the
  // workspace can be foreign.
  [
    c.removeAndUnembed,
    {
      names: ["workspace"],
      call: ({ slug }) => ({
        params: { slug },
        body: { documentLocation: "custom-documents/no-such-file.json" },
      }),
      allowed: [200, 400],
    },
  ],
  [c.listLocalFiles, plain],
  [c.getProcessorStatus, plain],
  [c.listAcceptedTypes, plain],
  [c.listDocumentStatuses, inWorkspace()],
  [c.listDocumentCounts, plain],
  [
    c.retryDocument,
    {
      names: ["workspace", "document"],
      call: ({ slug, documentId }) => ({ params: { slug, documentId } }),
      allowed: [200, 409],
    },
  ],
  [
    c.removeWorkspaceDocument,
    {
      names: ["workspace", "document"],
      takesAway: true,
      call: ({ slug, documentId }) => ({ params: { slug, documentId } }),
    },
  ],
  [
    c.getDocumentText,
    {
      names: ["workspace", "document"],
      call: ({ slug, documentId }) => ({ params: { slug, documentId } }),
    },
  ],
  // All managers share one library; nonexistent documents are ignored or counted as skipped.
  [c.listFolders, plain],
  [c.listLibrary, { ...plain, call: () => ({ body: {} }) }],
  [c.searchLocalFiles, { ...plain, call: () => ({ query: { q: "isolation" } }) }],
  [
    c.findLocalFiles,
    { ...plain, call: () => ({ body: { docpaths: ["custom-documents/no-such-file.json"] } }) },
  ],
  [
    c.createFolder,
    {
      ...plain,
      call: () => ({ body: { name: `made-${Math.random().toString(36).slice(2, 10)}` } }),
    },
  ],
  [
    c.renameFolder,
    { ...plain, call: () => ({ body: { from: "no such folder", to: "other" } }), allowed: [404] },
  ],
  [c.removeFolder, { ...plain, call: () => ({ body: { name: "no such folder" } }) }],
  [c.moveFiles, { ...plain, call: () => ({ body: { files: [] } }) }],
  [
    c.removeDocument,
    { ...plain, call: () => ({ body: { name: "custom-documents/no-such-file.json" } }) },
  ],
  [
    c.removeDocuments,
    { ...plain, call: () => ({ body: { names: ["custom-documents/no-such-file.json"] } }) },
  ],
  ...([c.moveDocuments, c.tagDocuments, c.purgeDocuments, c.rereadDocuments] as Operation[]).map(
    (operation): [Operation, Fixture] => [
      operation,
      {
        ...plain,
        call: (_things, world) => ({
          body: {
            selection: { documentIds: [world.unknown.documentId] },
            folder: "moved",
            add: ["tag"],
          },
        }),
      },
    ],
  ),
  ...([c.signOriginal, c.getLibraryDocumentText] as Operation[]).map(
    (operation): [Operation, Fixture] => [
      operation,
      {
        ...plain,
        call: (_things, world) => ({ params: { documentId: world.unknown.documentId } }),
        allowed: [404],
      },
    ],
  ),
  ...([c.addDocuments, c.takeOutDocuments, c.embedAgain, c.pinDocuments] as Operation[]).map(
    (operation): [Operation, Fixture] => [
      operation,
      {
        names: ["workspace"],
        call: ({ slug }, world) => ({
          params: { slug },
          body: { selection: { documentIds: [world.unknown.documentId] }, pinned: true },
        }),
      },
    ],
  ),
  [
    c.leaveEmbedQueue,
    {
      names: ["workspace"],
      call: ({ slug }) => ({
        params: { slug },
        body: { filename: "custom-documents/no-such-file.json" },
      }),
    },
  ],
  // The instance's index: no build is running, and there is no previous index.
  [c.getIndexState, plain],
  [c.stopIndexBuild, { ...plain, allowed: [409] }],
  [c.undoIndexSwitch, { ...plain, allowed: [409] }],
  [c.dropPreviousIndex, { ...plain, allowed: [409] }],
  // The retrieval inspector
  [
    c.inspectTurn,
    { names: ["workspace", "chat"], call: ({ slug, chatId }) => ({ params: { slug, chatId } }) },
  ],
  [
    c.tryRetrieval,
    {
      names: ["workspace"],
      call: ({ slug }) => ({ params: { slug }, body: { question: "What is isolated?" } }),
    },
  ],
  [c.listRetrievalFacets, inWorkspace()],
  // Memories and other parts of a prompt besides passages
  [
    c.updatePin,
    {
      names: ["workspace", "document"],
      call: ({ slug, docpath }) => ({
        params: { slug },
        body: { docPath: docpath, pinStatus: true },
      }),
    },
  ],
  // Live sync is disabled for everyone who may ask.
  [
    c.updateWatchStatus,
    {
      names: ["workspace"],
      call: ({ slug, docpath }) => ({
        params: { slug },
        body: { docPath: docpath, watchStatus: true },
      }),
      allowed: [401],
    },
  ],
  [
    c.resetVectorDatabase,
    {
      names: ["workspace"],
      takesAway: true,
      call: async ({ slug }, world) => ({
        params: {
          slug:
            slug === world.unknown.slug || slug === world.foreign.slug
              ? slug
              : (await world.root.makeWorkspace("To reset")).slug,
        },
      }),
    },
  ],
  [c.countVectors, { names: ["workspace"], call: ({ slug }) => ({ query: { slug } }) }],
  [
    c.parseFile,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({
        params: { slug },
        body: form("file", "Dropped.", "dropped.txt", "text/plain", { threadSlug }),
      }),
    },
  ],
  [
    c.listParsedFiles,
    {
      names: ["workspace", "thread"],
      call: ({ slug, threadSlug }) => ({ params: { slug }, query: { threadSlug } }),
    },
  ],
  [
    c.deleteParsedFiles,
    {
      names: ["workspace", "parsedFile"],
      takesAway: true,
      call: ({ slug, parsedFileId }) => ({ params: { slug }, body: { fileIds: [parsedFileId] } }),
    },
  ],
  [
    c.embedParsedFile,
    {
      names: ["workspace", "parsedFile"],
      takesAway: true,
      call: ({ slug, parsedFileId }) => ({ params: { slug, fileId: parsedFileId } }),
    },
  ],
  // Developer API
  [c.checkApiKey, plain],
  ["gateway.developer.users", plain],
  ["gateway.developer.is-multi-user-mode", plain],
  ["gateway.developer.admin-users", plain],
  ["gateway.developer.invites", plain],
  [c.listDeveloperChats, plain],
  [
    "gateway.developer.issue-auth-token",
    {
      ...plain,
      call: async (_things, world) => ({ params: { id: await freshUser(world) } }),
      allowed: [200, 403],
    },
  ],
  [
    "gateway.developer.create-user",
    {
      ...plain,
      call: () => ({
        body: { username: `made-${Math.random().toString(36).slice(2, 10)}`, password },
      }),
    },
  ],
  [
    "gateway.developer.update-user",
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: await freshUser(world) },
        body: { bio: "Changed." },
      }),
    },
  ],
  [
    "gateway.developer.delete-user",
    { ...plain, call: async (_things, world) => ({ params: { id: await freshUser(world) } }) },
  ],
  ["gateway.developer.create-invite", { ...plain, call: () => ({ body: { workspaceIds: [] } }) }],
  [
    "gateway.developer.disable-invite",
    {
      ...plain,
      call: async (_things, world) => ({ params: { id: (await freshInvite(world)).id } }),
    },
  ],
  [
    "gateway.developer.members",
    { ...plain, call: ({ workspaceId }) => ({ params: { id: workspaceId } }) },
  ],
  [
    "gateway.developer.update-members",
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: (await world.root.makeWorkspace("Members")).id },
        body: { userIds: [] },
      }),
    },
  ],
  [
    "gateway.developer.manage-members",
    {
      ...plain,
      call: async (_things, world) => ({
        params: { slug: (await world.root.makeWorkspace("Managed")).slug },
        body: { userIds: [await freshUser(world)], reset: true },
      }),
    },
  ],
  [
    c.searchVectors,
    { ...plain, call: ({ slug }) => ({ params: { slug }, body: { query: "isolated" } }) },
  ],
  [
    "gateway.developer.preferences",
    { ...plain, call: () => ({ body: { custom_app_name: "Isolated" } }) },
  ],
  // A key has access to every workspace and the whole library.
  ["gateway.developer-system.vector-count", plain],
  [
    "gateway.developer-system.remove-documents",
    { ...plain, call: () => ({ body: { names: ["custom-documents/no-such-file.json"] } }) },
  ],
  [
    c.uploadDeveloperDocument,
    { ...plain, call: () => ({ body: form("file", "By key.", "by-key.txt", "text/plain") }) },
  ],
  [
    c.uploadDeveloperDocumentToFolder,
    {
      ...plain,
      call: () => ({
        params: { folderName: "by-key" },
        body: form("file", "By key too.", "by-key-too.txt", "text/plain"),
      }),
    },
  ],
  // Rejected for its address, after the permission check.
  [
    c.uploadDeveloperLink,
    { ...plain, call: () => ({ body: { link: "http://127.0.0.1:9/" } }), allowed: [400] },
  ],
  [
    c.uploadDeveloperText,
    { ...plain, call: () => ({ body: { textContent: "Raw text.", metadata: { title: "raw" } } }) },
  ],
  ["gateway.developer-document.list", plain],
  [c.listDeveloperFolder, { ...plain, call: () => ({ params: { name: "custom-documents" } }) }],
  ["gateway.developer-document.types", plain],
  [c.getMetadataSchema, plain],
  [
    "gateway.developer-document.get",
    { ...plain, call: () => ({ params: { docName: "no-such-file.json" } }), allowed: [404] },
  ],
  [
    "gateway.developer-document.create-folder",
    {
      ...plain,
      call: () => ({ body: { name: `made-${Math.random().toString(36).slice(2, 10)}` } }),
    },
  ],
  [
    "gateway.developer-document.remove-folder",
    { ...plain, call: () => ({ body: { name: "no such folder" } }) },
  ],
  ["gateway.developer-document.move-files", { ...plain, call: () => ({ body: { files: [] } }) }],
  [
    c.getGeneratedFile,
    { ...plain, call: () => ({ params: { filename: "report.pdf" } }), allowed: [404] },
  ],
  [
    "gateway.developer-workspace.update-embeddings",
    { ...plain, call: ({ slug }) => ({ params: { slug }, body: { adds: [], deletes: [] } }) },
  ],
  [
    "gateway.developer-workspace.update-pin",
    {
      ...plain,
      call: ({ slug, docpath }) => ({
        params: { slug },
        body: { docPath: docpath, pinStatus: true },
      }),
    },
  ],
  // The instance
  [c.ping, plain],
  [c.getMetrics, plain],
  [c.watchChanges, plain],
];

export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  entries.map(([route, fixture]) => [typeof route === "string" ? route : route.name, fixture]),
);
