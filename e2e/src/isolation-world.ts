import { randomUUID } from "node:crypto";
import { startInstance, type Instance } from "@carrel/testing";
import { Api } from "./api.ts";

/** Who makes the call. Only `session` callers have a role that counts on session routes. */
export interface Caller {
  name: string;
  kind: "nobody" | "malformed" | "suspended" | "session" | "key" | "extension";
  role: "none" | "default" | "manager" | "admin";
  userId: number | null;
  api: Api;
  /** Another session of the same person. */
  again(): Promise<Api>;
}

/** What a call may refer to. Ids are strings because they go into paths. */
export interface Things {
  slug: string;
  workspaceId: number;
  threadSlug: string;
  chatId: number;
  generationId: string;
  documentId: string;
  docpath: string;
  extensionKeyId: number;
  sessionId: string;
  presetId: number;
  memoryId: number;
  parsedFileId: number;
}
/** Fields of `Things` that belong together, and who may use another person's. */
export const resources = {
  workspace: { fields: ["slug", "workspaceId"], seenBy: ["manager", "admin"] },
  thread: { fields: ["threadSlug"], seenBy: [] },
  chat: { fields: ["chatId"], seenBy: [] },
  generation: { fields: ["generationId"], seenBy: [] },
  document: { fields: ["documentId", "docpath"], seenBy: [] },
  extensionKey: { fields: ["extensionKeyId"], seenBy: ["admin"] },
  session: { fields: ["sessionId"], seenBy: [] },
  preset: { fields: ["presetId"], seenBy: [] },
  memory: { fields: ["memoryId"], seenBy: [] },
  parsedFile: { fields: ["parsedFileId"], seenBy: [] },
} as const satisfies Record<
  string,
  { fields: readonly (keyof Things)[]; seenBy: readonly Caller["role"][] }
>;
export type Resource = keyof typeof resources;

export interface World {
  mode: "single" | "multi";
  instance: Instance;
  /** The admin, or the single-user session: tests prepare everything as this one. */
  root: Api;
  callers: Caller[];
  /** The caller's own resources, in a workspace it may use; reused across calls unless `fresh`. */
  own(caller: Caller, fresh: boolean): Promise<Things>;
  /**
   * Another person's resources: the workspace is closed to role default; the rest is in the
   * caller's own workspace where possible.
   */
  foreign: Things;
  /** Resources that do not exist. */
  unknown: Things;
  /** Must return the same before and after all calls. */
  readForeign(): Promise<unknown>;
  makeUser(role?: string): Promise<{ id: number; username: string; password: string }>;
  signIn(username: string, password: string): Promise<Api>;
}

export const password = "Isolation test 1!";
const name = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 8)}`;

const unknownThings: Things = {
  slug: "no-such-workspace",
  workspaceId: 2_000_000_000,
  threadSlug: randomUUID(),
  chatId: 2_000_000_000,
  generationId: randomUUID(),
  documentId: randomUUID(),
  docpath: "custom-documents/no-such-file.json",
  extensionKeyId: 2_000_000_000,
  sessionId: randomUUID(),
  presetId: 2_000_000_000,
  memoryId: 2_000_000_000,
  parsedFileId: 2_000_000_000,
};

async function makeThread(
  api: Api,
  slug: string,
): Promise<Pick<Things, "threadSlug" | "chatId" | "generationId">> {
  const { thread } = await api.json<{ thread: { slug: string } }>(
    "POST",
    `/workspace/${slug}/thread/new`,
  );
  await api.ask(slug, "What does the isolation test say?", thread.slug);
  const { turns } = await api.json<{ turns: { id: number; generationId: string }[] }>(
    "GET",
    `/workspace/${slug}/turns?thread=${thread.slug}`,
  );
  const turn = turns[0];
  if (turn === undefined) throw new Error("the question left no turn");
  return { threadSlug: thread.slug, chatId: turn.id, generationId: turn.generationId };
}

async function makeDocument(
  api: Api,
  slug: string,
): Promise<Pick<Things, "documentId" | "docpath">> {
  const reply = await api.upload(
    "upload-and-embed",
    slug,
    `${name("isolation")}.txt`,
    `The isolation test says ${randomUUID()}.`,
  );
  const { document } = reply.json<{ document: { id: string; location: string } | null }>();
  if (document === null) throw new Error(reply.text);
  const { documents } = await api.json<{ documents: { documentId: string; docpath: string }[] }>(
    "GET",
    `/workspace/${slug}/documents?limit=200`,
  );
  const found = documents.find((one) => one.docpath === document.location);
  if (found === undefined) throw new Error("the document is not in its workspace");
  return { documentId: found.documentId, docpath: document.location };
}

const makeExtensionKey = async (api: Api): Promise<{ id: number; key: string }> => {
  const { apiKey } = await api.json<{ apiKey: string }>("POST", "/browser-extension/api-keys/new");
  const { apiKeys } = await api.json<{ apiKeys: { id: number }[] }>(
    "GET",
    "/browser-extension/api-keys",
  );
  return { id: Math.max(...apiKeys.map((one) => one.id)), key: apiKey };
};
const makePreset = async (api: Api): Promise<number> =>
  (
    await api.call("POST", "/system/slash-command-presets", {
      command: name("command"),
      prompt: "Explain.",
      description: "",
    })
  ).json<{ preset: { id: number } }>().preset.id;
/** Creates a memory, keeping the caller's first one and room for one more. */
async function makeMemory(api: Api, slug: string): Promise<number> {
  const { memories } = await api.json<{ memories: { workspace: { id: number }[] } }>(
    "GET",
    `/workspaces/${slug}/memories`,
  );
  for (const { id } of memories.workspace.slice(15)) await api.json("DELETE", `/memories/${id}`);
  return (
    await api.json<{ memory: { id: number } }>("POST", `/workspaces/${slug}/memories`, {
      content: `Reads ${randomUUID()}.`,
      scope: "workspace",
    })
  ).memory.id;
}
const enableMemories = (api: Api): Promise<unknown> =>
  api.json("POST", "/admin/system-preferences", { memory_enabled: "true" });
/** A file that only its owner may refer to, dropped on the default thread. */
async function makeParsedFile(api: Api, slug: string): Promise<number> {
  const reply = await api.upload(
    "parse",
    slug,
    `${name("dropped")}.txt`,
    "Dropped on a chat.",
    "text/plain",
    { threadSlug: "null" },
  );
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json<{ files: { id: number }[] }>().files[0]!.id;
}
const currentSession = async (api: Api): Promise<string> =>
  (
    await api.json<{ sessions: { id: string; current: boolean }[] }>("GET", "/system/sessions")
  ).sessions.find((one) => one.current)!.id;

/** Creates a caller's resources once, or fresh ones for calls that delete them. */
function keep(make: (caller: Caller) => Promise<Things>): World["own"] {
  const made = new Map<string, Promise<Things>>();
  return (caller, fresh) => {
    if (fresh) return make(caller);
    if (!made.has(caller.name)) made.set(caller.name, make(caller));
    return made.get(caller.name)!;
  };
}
const noSession = (): Promise<Api> => Promise.reject(new Error("this caller has no session"));

const withToken = (instance: Instance, token: string | null): Api =>
  Object.assign(new Api(instance.url), { token });

/** Roles, memberships and other people's resources on a real multi-user instance. */
export async function makeTeam(): Promise<World> {
  const instance = await startInstance({ SIMPLE_SSO_ENABLED: "1" });
  const open = new Api(instance.url);
  await open.json("POST", "/system/enable-multi-user", { username: "administrator", password });
  const signIn = async (username: string, secret: string): Promise<Api> => {
    const reply = await open.json<{ token: string | null; message: string | null }>(
      "POST",
      "/request-token",
      { username, password: secret },
    );
    if (reply.token === null) throw new Error(`${username}: ${reply.message}`);
    return withToken(instance, reply.token);
  };
  const root = await signIn("administrator", password);
  const makeUser = async (role = "default") => {
    const username = name("user");
    const { user, error } = await root.json<{ user: { id: number } | null; error: string | null }>(
      "POST",
      "/admin/users/new",
      { username, password, role },
    );
    if (user === null) throw new Error(String(error));
    return { id: user.id, username, password };
  };
  await enableMemories(root);
  const [shared, closed] = [await root.makeWorkspace("Shared"), await root.makeWorkspace("Closed")];
  const [member, manager, other, suspended, colleague] = [
    await makeUser(),
    await makeUser("manager"),
    await makeUser(),
    await makeUser(),
    await makeUser("manager"),
  ];
  await root.json("POST", `/admin/workspaces/${shared.id}/update-users`, {
    userIds: [member.id, other.id, suspended.id],
  });
  await root.json("POST", `/admin/workspaces/${closed.id}/update-users`, { userIds: [other.id] });
  const [memberApi, managerApi, otherApi, suspendedApi] = await Promise.all(
    [member, manager, other, suspended].map((user) => signIn(user.username, password)),
  );
  await root.json("POST", `/admin/user/${suspended.id}`, { suspended: 1 });
  const { apiKey } = await root.json<{ apiKey: { secret: string } }>(
    "POST",
    "/admin/generate-api-key",
    { name: "isolation" },
  );
  const extension = await makeExtensionKey(managerApi!);
  const session = (
    label: string,
    role: Caller["role"],
    userId: number,
    username: string,
    api: Api,
  ): Caller => ({
    name: label,
    kind: "session",
    role,
    userId,
    api,
    again: () => signIn(username, password),
  });
  const { users } = await root.json<{ users: { id: number; username: string }[] }>(
    "GET",
    "/admin/users",
  );
  const rootId = users.find((user) => user.username === "administrator")!.id;
  const callers: Caller[] = [
    {
      name: "nobody",
      kind: "nobody",
      role: "none",
      userId: null,
      api: withToken(instance, null),
      again: noSession,
    },
    {
      name: "a malformed token",
      kind: "malformed",
      role: "none",
      userId: null,
      api: withToken(instance, "aaaa.bbbb.cccc"),
      again: noSession,
    },
    {
      name: "a suspended user",
      kind: "suspended",
      role: "none",
      userId: suspended.id,
      api: suspendedApi!,
      again: noSession,
    },
    session("a member", "default", member.id, member.username, memberApi!),
    session("a manager", "manager", manager.id, manager.username, managerApi!),
    session("an admin", "admin", rootId, "administrator", root),
    {
      name: "an API key",
      kind: "key",
      role: "admin",
      userId: null,
      api: withToken(instance, apiKey.secret),
      again: noSession,
    },
    {
      name: "an extension key",
      kind: "extension",
      role: "manager",
      userId: manager.id,
      api: withToken(instance, extension.key),
      again: noSession,
    },
  ];
  // The other person's thread is in the caller's own workspace, which makes the test strictest. The
  // key belongs to another manager.
  const foreign: Things = {
    ...closed,
    workspaceId: closed.id,
    ...(await makeThread(otherApi!, shared.slug)),
    ...(await makeDocument(root, closed.slug)),
    extensionKeyId: (await makeExtensionKey(await signIn(colleague.username, password))).id,
    sessionId: await currentSession(otherApi!),
    presetId: await makePreset(otherApi!),
    memoryId: await makeMemory(otherApi!, shared.slug),
    parsedFileId: await makeParsedFile(otherApi!, shared.slug),
  };
  return {
    mode: "multi",
    instance,
    root,
    callers,
    foreign,
    unknown: unknownThings,
    makeUser,
    signIn,
    own: keep(async (caller) => {
      const acts = caller.kind === "session" ? caller.api : root;
      return {
        ...shared,
        workspaceId: shared.id,
        ...(await makeThread(acts, shared.slug)),
        ...(await makeDocument(root, shared.slug)),
        extensionKeyId:
          caller.role === "default"
            ? unknownThings.extensionKeyId
            : (await makeExtensionKey(acts)).id,
        sessionId: await currentSession(caller.kind === "session" ? await caller.again() : root),
        presetId: await makePreset(acts),
        memoryId: await makeMemory(acts, shared.slug),
        parsedFileId: await makeParsedFile(acts, shared.slug),
      };
    }),
    readForeign: async () => ({
      thread: await otherApi!.json(
        "GET",
        `/workspace/${shared.slug}/thread/${foreign.threadSlug}/chats`,
      ),
      session: await currentSession(otherApi!),
      files: await otherApi!.json("GET", `/workspace/${shared.slug}/parsed-files`),
      presets: await otherApi!.json("GET", "/system/slash-command-presets"),
      memories: await otherApi!.json("GET", `/workspaces/${shared.slug}/memories`),
      document: (
        await otherApi!.json<{ text: string }>(
          "GET",
          `/workspace/${closed.slug}/documents/${foreign.documentId}/text`,
        )
      ).text,
    }),
  };
}

/** One person with a password. */
export async function makeSolo(): Promise<World> {
  const instance = await startInstance({ SIMPLE_SSO_ENABLED: "1" });
  const open = new Api(instance.url);
  await open.json("POST", "/system/update-password", { usePassword: true, newPassword: password });
  const signIn = async (_username: string, secret: string): Promise<Api> =>
    withToken(
      instance,
      (await open.json<{ token: string }>("POST", "/request-token", { password: secret })).token,
    );
  const root = await signIn("", password);
  await enableMemories(root);
  const own = await root.makeWorkspace("Own");
  const { apiKey } = await root.json<{ apiKey: { secret: string } }>(
    "POST",
    "/system/generate-api-key",
    {},
  );
  const extension = await makeExtensionKey(root);
  const callers: Caller[] = [
    {
      name: "nobody",
      kind: "nobody",
      role: "none",
      userId: null,
      api: withToken(instance, null),
      again: noSession,
    },
    {
      name: "a malformed token",
      kind: "malformed",
      role: "none",
      userId: null,
      api: withToken(instance, "aaaa.bbbb.cccc"),
      again: noSession,
    },
    {
      name: "the session",
      kind: "session",
      role: "admin",
      userId: null,
      api: root,
      again: () => signIn("", password),
    },
    {
      name: "an API key",
      kind: "key",
      role: "admin",
      userId: null,
      api: withToken(instance, apiKey.secret),
      again: noSession,
    },
    {
      name: "an extension key",
      kind: "extension",
      role: "admin",
      userId: null,
      api: withToken(instance, extension.key),
      again: noSession,
    },
  ];
  return {
    mode: "single",
    instance,
    root,
    callers,
    unknown: unknownThings,
    foreign: unknownThings,
    signIn,
    makeUser: () => Promise.reject(new Error("there are no users in this mode")),
    own: keep(async (caller) => ({
      ...own,
      workspaceId: own.id,
      ...(await makeThread(root, own.slug)),
      ...(await makeDocument(root, own.slug)),
      extensionKeyId: (await makeExtensionKey(root)).id,
      sessionId: await currentSession(caller.kind === "session" ? await caller.again() : root),
      presetId: await makePreset(root),
      memoryId: await makeMemory(root, own.slug),
      parsedFileId: await makeParsedFile(root, own.slug),
    })),
    readForeign: () => Promise.resolve(null),
  };
}
