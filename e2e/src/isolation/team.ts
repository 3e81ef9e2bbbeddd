import { startTestInstance } from "@carrel/testing";
import { Api } from "../api.ts";
import { apiKeyHolders, extensionHolder, sessionless, strangers, withToken } from "./callers.ts";
import { ownThings, sessionOf } from "./own-things.ts";
import {
  currentSession,
  enableLiveSync,
  enableMemories,
  makeConnection,
  makeDocument,
  makeExtensionKey,
  makeMemory,
  makeParsedFile,
  makePreset,
  makeShare,
  makeThread,
  name,
  unknownThings,
} from "./resources.ts";
import { password, type Caller, type Things, type World } from "./world.ts";

/** Roles, memberships and other people's resources on a real multi-user instance. */
export async function makeTeam(): Promise<World> {
  const instance = await startTestInstance({ SIMPLE_SSO_ENABLED: "1" });
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
  await enableLiveSync(root);
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
    ...strangers(instance),
    sessionless({
      name: "a suspended user",
      kind: "suspended",
      userId: suspended.id,
      api: suspendedApi!,
    }),
    session("a member", "default", member.id, member.username, memberApi!),
    session("a manager", "manager", manager.id, manager.username, managerApi!),
    session("an admin", "admin", rootId, "administrator", root),
    ...(await apiKeyHolders(
      instance,
      (limits) => root.json("POST", "/admin/generate-api-key", limits),
      shared.id,
    )),
    extensionHolder(instance, extension.key, { role: "manager", userId: manager.id }),
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
    ...(await makeShare(otherApi!, shared.slug)),
    ...(await makeConnection(root, closed.slug)),
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
    own: ownThings((caller) => ({
      api: caller.kind === "session" ? caller.api : root,
      manager: root,
      workspace: shared,
      session: sessionOf(caller, root),
      mayHaveExtensionKeys: caller.role !== "default",
    })),
    readForeign: async () => ({
      thread: await otherApi!.json(
        "GET",
        `/workspace/${shared.slug}/thread/${foreign.threadSlug}/chats`,
      ),
      session: await currentSession(otherApi!),
      files: await otherApi!.json("GET", `/workspace/${shared.slug}/parsed-files`),
      presets: await otherApi!.json("GET", "/system/slash-command-presets"),
      shares: await otherApi!.json("GET", "/shares"),
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
