import { startInstance } from "@carrel/testing";
import { Api } from "../api.ts";
import {
  currentSession,
  enableMemories,
  keep,
  makeDocument,
  makeExtensionKey,
  makeMemory,
  makeParsedFile,
  makePreset,
  makeThread,
  noSession,
  unknownThings,
  withToken,
} from "./resources.ts";
import { password, type Caller, type World } from "./world.ts";

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
