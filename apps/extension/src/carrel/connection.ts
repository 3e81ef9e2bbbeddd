import { Failure } from "./failure.ts";

/** Carrel's address and the key to it (wire-contract 10). */
export interface Connection {
  /** Base address of the API, without a trailing slash. */
  api: string;
  key: string;
}

/** Reads `<api base url>|<key>`. */
export function parseConnection(text: string): Connection {
  const [api = "", key = "", ...rest] = text.trim().split("|");
  if (rest.length > 0 || !/^brx-\S+$/.test(key) || !/^https?:/i.test(api) || !URL.canParse(api))
    throw new Failure("failedInvalid");
  const { origin, pathname } = new URL(api);
  return { api: `${origin}${pathname.replace(/\/+$/, "")}`, key };
}

export const originOf = ({ api }: Pick<Connection, "api">): string => new URL(api).origin;

/** The web app is at the API's address, without `/api`. */
export const appOf = ({ api }: Connection): string => api.replace(/\/api$/, "");

/** The permission to reach this instance and nothing else. */
export const permissionOf = (connection: Connection): chrome.permissions.Permissions => ({
  origins: [`${originOf(connection)}/*`],
});

/** On this device only: `storage.sync` would send the key to the browser's vendor. */
export async function readConnection(): Promise<Connection | null> {
  const { connection } = await chrome.storage.local.get<{ connection?: Connection }>("connection");
  return connection ?? null;
}

export const keepConnection = (connection: Connection): Promise<void> =>
  chrome.storage.local.set({ connection });

export const forgetConnection = (): Promise<void> =>
  chrome.storage.local.remove(["connection", "workspaceId"]);

/**
 * A connection that awaits the user's consent. The browser keeps it in memory, because its question
 * may close the popup, and with it the form.
 */
export async function readPending(): Promise<Connection | null> {
  const { pending } = await chrome.storage.session.get<{ pending?: Connection }>("pending");
  return pending ?? null;
}

export const keepPending = (pending: Connection): Promise<void> =>
  chrome.storage.session.set({ pending });

export const forgetPending = (): Promise<void> => chrome.storage.session.remove("pending");

/** The workspace to save pages in: null is the library alone, undefined means not chosen yet. */
export async function readChoice(): Promise<number | null | undefined> {
  const { workspaceId } = await chrome.storage.local.get<{ workspaceId?: number | null }>(
    "workspaceId",
  );
  return workspaceId;
}

export const keepChoice = (workspaceId: number | null): Promise<void> =>
  chrome.storage.local.set({ workspaceId });
