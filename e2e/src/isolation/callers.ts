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

/** Those who have no valid token. */
export const strangers = (instance: Instance): Caller[] => [
  sessionless({ name: "nobody", kind: "nobody", api: withToken(instance, null) }),
  sessionless({
    name: "a malformed token",
    kind: "malformed",
    api: withToken(instance, "aaaa.bbbb.cccc"),
  }),
];

/** Programs with a key of each kind; the extension acts for the key's owner. */
export const keyHolders = (
  instance: Instance,
  keys: { api: string; extension: string },
  owner: Pick<Caller, "role" | "userId">,
): Caller[] => [
  sessionless({
    name: "an API key",
    kind: "key",
    role: "admin",
    api: withToken(instance, keys.api),
  }),
  sessionless({
    name: "an extension key",
    kind: "extension",
    ...owner,
    api: withToken(instance, keys.extension),
  }),
];
