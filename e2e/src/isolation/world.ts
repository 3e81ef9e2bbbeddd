import type { KeyScope } from "@carrel/contracts";
import type { TestInstance } from "@carrel/testing";
import type { Api } from "../api.ts";

/** Who makes the call. Only `session` callers have a role that counts on session routes. */
export interface Caller {
  name: string;
  kind: "nobody" | "malformed" | "suspended" | "session" | "key" | "extension";
  role: "none" | "default" | "manager" | "admin";
  userId: number | null;
  api: Api;
  /** Scopes of an API key. */
  scopes?: KeyScope[];
  /** An API key that is restricted to the workspace of its owner's things. */
  isRestricted?: true;
  /** Another session of the same person. */
  again(): Promise<Api>;
}

/** Resources that a call may refer to. Ids are strings because they go into paths. */
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
  shareId: number;
  shareToken: string;
  connectionId: string;
  watchId: number;
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
  share: { fields: ["shareId"], seenBy: [] },
  connection: { fields: ["connectionId"], seenBy: [] },
  watch: { fields: ["watchId"], seenBy: [] },
  /** Admins may revoke other people's links, but nothing else. */
  revocableShare: { fields: ["shareId"], seenBy: ["admin"] },
} as const satisfies Record<
  string,
  { fields: readonly (keyof Things)[]; seenBy: readonly Caller["role"][] }
>;
export type Resource = keyof typeof resources;

export interface World {
  mode: "single" | "multi";
  instance: TestInstance;
  /** The admin, or the single-user session: tests prepare everything as this one. */
  root: Api;
  callers: Caller[];
  /**
   * The caller's own resources, in a workspace it may use; reused across calls except those of the
   * kinds in `fresh`.
   */
  own(caller: Caller, fresh: readonly Resource[]): Promise<Things>;
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
