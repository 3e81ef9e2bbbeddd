import type { KeyScope } from "@carrel/contracts";
import type { Instance } from "@carrel/testing";
import { Api } from "../api.ts";
import type { Caller } from "./world.ts";

export const withToken = (instance: Instance, token: string | null): Api =>
  Object.assign(new Api(instance.url), { token });

const noSession = (): Promise<Api> => Promise.reject(new Error("this caller has no session"));

/** A caller who is not signed in as a user of the session routes. */
export const sessionless = (
  more: Pick<Caller, "name" | "kind" | "api"> & Partial<Caller>,
): Caller => ({ role: "none", userId: null, again: noSession, ...more });

/** Callers without a valid token. */
export const strangers = (instance: Instance): Caller[] => [
  sessionless({ name: "nobody", kind: "nobody", api: withToken(instance, null) }),
  sessionless({
    name: "a malformed token",
    kind: "malformed",
    api: withToken(instance, "aaaa.bbbb.cccc"),
  }),
];

/** Programs with an API key of each scope, and one that is restricted to a workspace. */
export async function apiKeyHolders(
  instance: Instance,
  makeKey: (limits: object) => Promise<{ apiKey: { secret: string } }>,
  workspaceId: number,
): Promise<Caller[]> {
  const hold = async (
    label: string,
    scopes: KeyScope[],
    limits: object,
    more: Partial<Caller> = {},
  ): Promise<Caller> =>
    sessionless({
      name: label,
      kind: "key",
      role: "admin",
      scopes,
      ...more,
      api: withToken(instance, (await makeKey(limits)).apiKey.secret),
    });
  return Promise.all([
    // Created the way existing clients do.
    hold("an API key", ["admin"], { name: "isolation" }),
    ...(["read", "chat", "documents"] as const).map((scope) =>
      hold(`an API key with the scope ${scope}`, [scope], { scopes: [scope] }),
    ),
    hold(
      "an API key of a workspace",
      ["admin"],
      { workspaceIds: [workspaceId] },
      {
        role: "default",
        isRestricted: true,
      },
    ),
  ]);
}

/** The browser extension, acting for the key's owner. */
export const extensionHolder = (
  instance: Instance,
  key: string,
  owner: Pick<Caller, "role" | "userId">,
): Caller =>
  sessionless({
    name: "an extension key",
    kind: "extension",
    ...owner,
    api: withToken(instance, key),
  });
