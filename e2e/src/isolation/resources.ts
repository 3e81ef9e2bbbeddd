import { randomUUID } from "node:crypto";
import type { Api } from "../api.ts";
import type { Things } from "./world.ts";

export const name = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 8)}`;

export const unknownThings: Things = {
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
  shareId: 2_000_000_000,
  shareToken: "no-such-token",
  connectionId: randomUUID(),
  watchId: 2_000_000_000,
};

export async function makeThread(
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

export async function makeDocument(
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

export const makeExtensionKey = async (api: Api): Promise<{ id: number; key: string }> => {
  const { apiKey } = await api.json<{ apiKey: string }>("POST", "/browser-extension/api-keys/new");
  const { apiKeys } = await api.json<{ apiKeys: { id: number }[] }>(
    "GET",
    "/browser-extension/api-keys",
  );
  return { id: Math.max(...apiKeys.map((one) => one.id)), key: apiKey };
};
export const makePreset = async (api: Api): Promise<number> =>
  (
    await api.call("POST", "/system/slash-command-presets", {
      command: name("command"),
      prompt: "Explain.",
      description: "",
    })
  ).json<{ preset: { id: number } }>().preset.id;
/** Creates a memory, keeping the caller's first one and room for one more. */
export async function makeMemory(api: Api, slug: string): Promise<number> {
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
export const enableMemories = (api: Api): Promise<unknown> =>
  api.json("POST", "/admin/system-preferences", { memory_enabled: "true" });
/** A file that only its owner may refer to, dropped on the default thread. */
export async function makeParsedFile(api: Api, slug: string): Promise<number> {
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
/** Shares its own thread with anyone who has the link. */
export async function makeShare(
  api: Api,
  slug: string,
): Promise<Pick<Things, "shareId" | "shareToken">> {
  const { threadSlug } = await makeThread(api, slug);
  const { share, token } = await api.json<{ share: { id: number }; token: string }>(
    "POST",
    `/workspace/${slug}/share`,
    { thread: threadSlug, audience: "anyone", expiresInDays: null },
  );
  return { shareId: share.id, shareToken: token };
}
export const enableLiveSync = (api: Api): Promise<unknown> =>
  api.json("POST", "/experimental/toggle-live-sync", { updatedStatus: true });
/** A watched source that can't be fetched. */
export async function makeConnection(
  api: Api,
  slug: string,
): Promise<Pick<Things, "connectionId" | "watchId">> {
  const { connection } = await api.json<{ connection: { id: string } }>(
    "POST",
    `/workspace/${slug}/connections`,
    { connector: "website", settings: { url: "http://127.0.0.1:9/" }, start: false },
  );
  const { watch } = await api.json<{ watch: { id: number } }>(
    "PUT",
    `/workspace/${slug}/connections/${connection.id}/watch`,
    { watched: true },
  );
  return { connectionId: connection.id, watchId: watch.id };
}
export const currentSession = async (api: Api): Promise<string> =>
  (
    await api.json<{ sessions: { id: string; current: boolean }[] }>("GET", "/system/sessions")
  ).sessions.find((one) => one.current)!.id;
