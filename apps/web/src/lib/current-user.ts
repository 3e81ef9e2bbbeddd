import { refreshUser, type Out, type UserWire } from "@carrel/contracts";
import { useMemo, useSyncExternalStore } from "react";
import { call, type CallOptions } from "./api.ts";
import { keys, readStored, readToken, watchStored, writeStored } from "./session-storage.ts";

/** What the person at this browser may do; without accounts (single-user) everything. */
export interface Rights {
  multiUser: boolean;
  /** Manager or admin: workspaces, documents, users. */ manager: boolean;
  /** Admin: the settings of the instance. */ admin: boolean;
}

let parsed: { raw: string | null; user: UserWire | null } = { raw: null, user: null };

/**
 * What an older or another client left behind is completed; what is no user at all counts as none.
 */
function parse(raw: string | null): UserWire | null {
  if (!raw) return null;
  try {
    const value = JSON.parse(raw) as Partial<UserWire> | null;
    if (
      typeof value !== "object" ||
      value === null ||
      typeof value.id !== "number" ||
      typeof value.username !== "string"
    )
      return null;
    const role = value.role === "admin" || value.role === "manager" ? value.role : "default";
    return {
      pfpFilename: null,
      suspended: 0,
      seen_recovery_codes: true,
      createdAt: "",
      lastUpdatedAt: "",
      dailyMessageLimit: null,
      bio: "",
      email: null,
      theme: null,
      userLang: null,
      secondFactor: false,
      ...value,
      id: value.id,
      username: value.username,
      role,
    };
  } catch {
    // written by hand or cut short: as if nobody had signed in, so that the next check asks again
    return null;
  }
}

/**
 * The user of the session as last told by the instance; null in single-user mode and when nobody is
 * signed in. The same object until it changes.
 */
export function readCurrentUser(): UserWire | null {
  const raw = readStored(keys.user);
  if (raw !== parsed.raw) parsed = { raw, user: parse(raw) };
  return parsed.user;
}

/** Keeps the user for this browser; every page that shows something of it follows. */
export const storeCurrentUser = (user: UserWire | null): void =>
  writeStored(keys.user, user ? JSON.stringify(user) : null);

const subscribe = (listener: () => void): (() => void) => watchStored(keys.user, listener);
export const useCurrentUser = (): UserWire | null =>
  useSyncExternalStore(subscribe, readCurrentUser);

function rightsOf(user: UserWire | null): Rights {
  return {
    multiUser: user !== null,
    manager: user === null || user.role !== "default",
    admin: user === null || user.role === "admin",
  };
}

/** For guards outside React. */
export const readRights = (): Rights => rightsOf(readCurrentUser());

/**
 * Follows the user: a role that an admin changes shows within a moment. The server decides; this
 * only hides what it would refuse.
 */
export function useRights(): Rights {
  const user = useCurrentUser();
  return useMemo(() => rightsOf(user), [user]);
}

/**
 * Asks the instance for the user of this session and stores what it says. Gives false when the
 * session ended or the user
 * was suspended; an instance that does not answer throws, and says nothing about the session.
 */
export async function refreshCurrentUser(options: CallOptions = {}): Promise<boolean> {
  const token = readToken();
  const reply: Out<typeof refreshUser> = await call(refreshUser, {}, options);
  // signed out or in meanwhile: the answer is about another session
  if (token !== readToken()) return true;
  if (!reply.success) return false;
  storeCurrentUser(reply.user);
  return true;
}
