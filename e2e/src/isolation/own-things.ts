import type { Api } from "../api.ts";
import {
  currentSession,
  makeConnection,
  makeDocument,
  makeExtensionKey,
  makeMemory,
  makeParsedFile,
  makePreset,
  makeShare,
  makeThread,
  unknownThings,
} from "./resources.ts";
import { resources, type Caller, type Resource, type Things, type World } from "./world.ts";

/** Who creates each of a person's resources, and in which workspace. */
export interface Maker {
  /** Creates what only its owner may use. */
  api: Api;
  /** Embeds documents, which takes a manager. */
  manager: Api;
  workspace: { id: number; slug: string };
  /** A session that the test may end. */
  session: () => Promise<string>;
  mayHaveExtensionKeys: boolean;
}

/** Creates resources of the given kinds; the turn of a thread belongs to that thread. */
async function makeThings(
  { api, manager, workspace, session, mayHaveExtensionKeys }: Maker,
  kinds: readonly Resource[],
): Promise<Partial<Things>> {
  const { id, slug } = workspace;
  const has = (...wanted: Resource[]): boolean => wanted.some((kind) => kinds.includes(kind));
  return {
    slug,
    workspaceId: id,
    ...(has("thread", "chat", "generation") ? await makeThread(api, slug) : {}),
    ...(has("document") ? await makeDocument(manager, slug) : {}),
    ...(has("extensionKey")
      ? {
          extensionKeyId: mayHaveExtensionKeys
            ? (await makeExtensionKey(api)).id
            : unknownThings.extensionKeyId,
        }
      : {}),
    ...(has("session") ? { sessionId: await session() } : {}),
    ...(has("preset") ? { presetId: await makePreset(api) } : {}),
    ...(has("memory") ? { memoryId: await makeMemory(api, slug) } : {}),
    ...(has("parsedFile") ? { parsedFileId: await makeParsedFile(api, slug) } : {}),
    ...(has("connection", "watch") ? await makeConnection(manager, slug) : {}),
    ...(has("share", "revocableShare") ? await makeShare(api, slug) : {}),
  };
}

/**
 * A caller's resources: all kinds once, and fresh ones of the kinds that a call deletes. Callers
 * who aren't users share those of the user who makes them.
 */
export function ownThings(makerOf: (caller: Caller) => Maker): World["own"] {
  const made = new Map<Api, Promise<Things>>();
  const all = Object.keys(resources) as Resource[];
  return async (caller, fresh) => {
    const maker = makerOf(caller);
    if (!made.has(maker.api)) made.set(maker.api, makeThings(maker, all) as Promise<Things>);
    const kept = await made.get(maker.api)!;
    return fresh.length === 0 ? kept : { ...kept, ...(await makeThings(maker, fresh)) };
  };
}

export const sessionOf = (caller: Caller, root: Api) => async (): Promise<string> =>
  currentSession(caller.kind === "session" ? await caller.again() : root);
