import * as c from "@carrel/contracts";
import { plain, form, freshUser, freshInvite, type Entry } from "./fixture.ts";
import { password, type Caller, type Things } from "./world.ts";

/** A restricted key uploads only to a workspace. */
const target = ({ slug }: Things, { isRestricted }: Caller): Record<string, string> =>
  isRestricted === true ? { addToWorkspaces: slug } : {};

const fileName = ({ docpath }: Things): string => docpath.split("/").at(-1)!;

export const developerFixtures: Entry[] = [
  // Developer API
  [c.checkApiKey, plain],
  ["gateway.developer.users", plain],
  ["gateway.developer.is-multi-user-mode", plain],
  ["gateway.developer.admin-users", plain],
  ["gateway.developer.invites", plain],
  ["gateway.developer.chats", plain],
  ["gateway.developer.export-chats", plain],
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
  // A key without restriction has access to every workspace and the whole library.
  ["gateway.developer-system.vector-count", plain],
  [
    "gateway.developer-system.remove-documents",
    { ...plain, call: () => ({ body: { names: ["custom-documents/no-such-file.json"] } }) },
  ],
  [
    c.uploadDeveloperDocument,
    {
      ...plain,
      call: (things, _world, caller) => ({
        body: form("file", "By key.", "by-key.txt", "text/plain", target(things, caller)),
      }),
    },
  ],
  [
    c.uploadDeveloperDocumentToFolder,
    {
      ...plain,
      call: (things, _world, caller) => ({
        params: { folderName: "by-key" },
        body: form("file", "By key too.", "by-key-too.txt", "text/plain", target(things, caller)),
      }),
    },
  ],
  // Rejected for its address, after the permission check.
  [
    c.uploadDeveloperLink,
    {
      ...plain,
      call: (things, _world, caller) => ({
        body: { link: "http://127.0.0.1:9/", ...target(things, caller) },
      }),
      allowed: [400],
    },
  ],
  [
    c.uploadDeveloperText,
    {
      ...plain,
      call: (things, _world, caller) => ({
        body: { textContent: "Raw text.", metadata: { title: "raw" }, ...target(things, caller) },
      }),
    },
  ],
  ["gateway.developer-document.list", { ...plain, lists: fileName }],
  [
    c.listDeveloperFolder,
    {
      ...plain,
      call: () => ({ params: { name: "custom-documents" }, query: { limit: "all" } }),
      lists: fileName,
    },
  ],
  ["gateway.developer-document.types", plain],
  [c.getMetadataSchema, plain],
  [
    "gateway.developer-document.get",
    {
      ...plain,
      unrestricted: ["document"],
      call: (things) => ({ params: { docName: fileName(things) } }),
    },
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
];
