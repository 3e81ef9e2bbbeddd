import * as c from "@carrel/contracts";
import { plain, inWorkspace, form, type Entry } from "./fixture.ts";

export const documentFixtures: Entry[] = [
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
  [
    c.searchDocumentTexts,
    { ...plain, call: ({ slug }) => ({ body: { searchTerm: "isolation", preferred: slug } }) },
  ],
  [c.watchProgress, inWorkspace()],
  [c.downloadOriginal, { ...plain, call: () => ({ params: { token: "none" } }), allowed: [404] }],
  [
    c.showOriginalPage,
    { ...plain, call: () => ({ params: { token: "none", page: 1 } }), allowed: [404] },
  ],
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
  [c.getSearchState, inWorkspace()],
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
      deletes: true,
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
  [
    c.listDocumentVersions,
    {
      names: ["workspace", "document"],
      call: ({ slug, documentId }) => ({ params: { slug, documentId } }),
    },
  ],
  [
    c.diffDocumentVersion,
    {
      names: ["workspace", "document"],
      call: ({ slug, documentId }) => ({ params: { slug, documentId, version: "1" } }),
      // It has had no other content.
      allowed: [404],
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
  ...([c.moveDocuments, c.tagDocuments, c.purgeDocuments, c.reparseDocuments] as c.Operation[]).map(
    (operation): Entry => [
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
  ...([c.signOriginal, c.getLibraryDocumentText] as c.Operation[]).map((operation): Entry => [
    operation,
    {
      ...plain,
      call: (_things, world) => ({ params: { documentId: world.unknown.documentId } }),
      allowed: [404],
    },
  ]),
  [
    c.changeEncoding,
    {
      ...plain,
      call: (_things, world) => ({
        params: { documentId: world.unknown.documentId },
        body: { encoding: "CP437" },
      }),
      allowed: [404],
    },
  ],
  ...(
    [c.addDocuments, c.removeWorkspaceDocuments, c.embedAgain, c.pinDocuments] as c.Operation[]
  ).map((operation): Entry => [
    operation,
    {
      names: ["workspace"],
      call: ({ slug }, world) => ({
        params: { slug },
        body: { selection: { documentIds: [world.unknown.documentId] }, pinned: true },
      }),
    },
  ]),
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
  // Memories and other parts of a prompt, apart from passages
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
  [
    c.updateWatchStatus,
    {
      names: ["workspace"],
      call: ({ slug, docpath }) => ({
        params: { slug },
        body: { docPath: docpath, watchStatus: true },
      }),
      // Uploads have no source to follow, and another workspace doesn't hold it.
      allowed: [400, 404],
    },
  ],
  [
    c.resetVectorDatabase,
    {
      names: ["workspace"],
      deletes: true,
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
      deletes: true,
      call: ({ slug, parsedFileId }) => ({ params: { slug }, body: { fileIds: [parsedFileId] } }),
    },
  ],
  [
    c.embedParsedFile,
    {
      names: ["workspace", "parsedFile"],
      deletes: true,
      call: ({ slug, parsedFileId }) => ({ params: { slug, fileId: parsedFileId } }),
    },
  ],
];
