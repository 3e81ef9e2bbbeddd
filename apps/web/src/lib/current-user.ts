import { getMemberRights, refreshUser, type UserWire } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { call, isRefusal, type CallOptions } from "./api.ts";
import { instanceKeys } from "./query-keys.ts";
import { keys, readStored, readToken, watchStored, writeStored } from "./session-storage.ts";

/** The user's permissions; all of them in single-user mode. */
export interface Rights {
  multiUser: boolean;
  /** Manager or admin: workspaces, documents, users. */
  manager: boolean;
  /** Admin: instance settings. */
  admin: boolean;
}

let parsed: { raw: string | null; user: UserWire | null } = { raw: null, user: null };

/**
 * Fills in fields that an older version or another client left out; null if it isn't a user at all.
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
    // Edited by hand or truncated: treat as signed out, so that the next check asks again.
    return null;
  }
}

/**
 * The session's user as the instance last reported it; null in single-user mode and when signed
 * out. The same object until it changes.
 */
export function readCurrentUser(): UserWire | null {
  const raw = readStored(keys.user);
  if (raw !== parsed.raw) parsed = { raw, user: parse(raw) };
  return parsed.user;
}

/** Stores the user in this browser; pages that show it update. */
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
 * The user's rights, updated within a moment when an admin changes the role. The server enforces
 * them; this only hides what it would refuse.
 */
export function useRights(): Rights {
  const user = useCurrentUser();
  return useMemo(() => rightsOf(user), [user]);
}

/**
 * Fetches and stores the session's user. Returns false if the session ended or the user is
 * suspended; throws if the instance doesn't respond, which says nothing about the session.
 */
export async function refreshCurrentUser(options: CallOptions = {}): Promise<boolean> {
  const token = readToken();
  const reply = await call(refreshUser, {}, options).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  // The user signed out or in meanwhile, so the answer is for another session.
  if (token !== readToken()) return true;
  if (reply === null) return false;
  storeCurrentUser(reply.user);
  return true;
}

/** What admins allow the signed-in member; only requested for members. */
export const memberRightsQuery = queryOptions({
  queryKey: instanceKeys.memberRights,
  queryFn: ({ signal }) => call(getMemberRights, {}, { signal }),
});

/** What the user may do with workspaces; until that is known, only ask questions. */
interface WorkspaceRights {
  /** Until then, nothing is allowed, but nothing is shown as unavailable. */
  isKnown: boolean;
  creates: boolean;
  /** May change settings, manage documents, and rename and delete workspaces. */
  manages: (workspaceId: number | undefined) => boolean;
  /** May add documents. */
  uploads: (workspaceId: number | undefined) => boolean;
}

/**
 * Managers may do everything; members may do what admins allow, and everything in their own
 * workspaces.
 */
export function useWorkspaceRights(): WorkspaceRights {
  const { manager } = useRights();
  const allowed = useQuery({ ...memberRightsQuery, enabled: !manager }).data;
  const manages = (workspaceId: number | undefined): boolean =>
    manager || (workspaceId !== undefined && allowed?.ownWorkspaces.includes(workspaceId) === true);
  return {
    isKnown: manager || allowed !== undefined,
    creates: manager || allowed?.rights.includes("createWorkspaces") === true,
    manages,
    uploads: (workspaceId) =>
      manages(workspaceId) || allowed?.rights.includes("uploadDocuments") === true,
  };
}
