import { startTestInstance } from "@carrel/testing";
import { Api } from "../api.ts";
import { apiKeyHolders, extensionHolder, strangers, withToken } from "./callers.ts";
import { ownThings, sessionOf } from "./own-things.ts";
import { enableLiveSync, enableMemories, makeExtensionKey, unknownThings } from "./resources.ts";
import { password, type World } from "./world.ts";

/** One person with a password. */
export async function makeSolo(): Promise<World> {
  const instance = await startTestInstance({ SIMPLE_SSO_ENABLED: "1" });
  const open = new Api(instance.url);
  await open.json("POST", "/system/update-password", { usePassword: true, newPassword: password });
  const signIn = async (_username: string, secret: string): Promise<Api> =>
    withToken(
      instance,
      (await open.json<{ token: string }>("POST", "/request-token", { password: secret })).token,
    );
  const root = await signIn("", password);
  await enableMemories(root);
  await enableLiveSync(root);
  const own = await root.makeWorkspace("Own");
  const extension = await makeExtensionKey(root);
  return {
    mode: "single",
    instance,
    root,
    callers: [
      ...strangers(instance),
      {
        name: "the session",
        kind: "session",
        role: "admin",
        userId: null,
        api: root,
        again: () => signIn("", password),
      },
      ...(await apiKeyHolders(
        instance,
        (limits) => root.json("POST", "/system/generate-api-key", limits),
        own.id,
      )),
      extensionHolder(instance, extension.key, { role: "admin", userId: null }),
    ],
    unknown: unknownThings,
    foreign: unknownThings,
    signIn,
    makeUser: () => Promise.reject(new Error("there are no users in this mode")),
    own: ownThings((caller) => ({
      api: root,
      manager: root,
      workspace: own,
      session: sessionOf(caller, root),
      mayHaveExtensionKeys: true,
    })),
    readForeign: () => Promise.resolve(null),
  };
}
