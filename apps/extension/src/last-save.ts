import { word } from "./carrel/failure.ts";
import type { What } from "./tab-text.ts";

/** What the popup and Carrel's pages ask the service worker to do. */
export type Request =
  /** Finishes the pending connection, once the user has allowed it. */
  | { type: "connect" }
  | { type: "save"; tabId: number; what: What }
  /** Saves the page and opens the workspace. */
  | { type: "ask"; tabId: number }
  /** A page of Carrel has created a key. */
  | { type: "offer"; connection: string };

/** `error` is ready to be shown. */
export type Reply = { error: string | null };

export const request = async (message: Request): Promise<Reply> =>
  chrome.runtime.sendMessage<Request, Reply>(message);

/** Progress or outcome of the last save: shown on the icon, and by the popup when it opens. */
export interface LastSave {
  state: "running" | "done" | "failed";
  text: string;
}

const badges = { running: "…", done: "✓", failed: "!" };
const colors = { running: "#0b6f63", done: "#0b6f63", failed: "#b3261e" };

export async function showSave(save: LastSave): Promise<void> {
  await Promise.all([
    chrome.storage.session.set({ lastSave: save }),
    chrome.action.setBadgeText({ text: badges[save.state] }),
    chrome.action.setBadgeBackgroundColor({ color: colors[save.state] }),
    chrome.action.setBadgeTextColor({ color: "#ffffff" }),
    chrome.action.setTitle({ title: save.text }),
  ]);
}

/** Returns the last save; a finished one is returned only once. */
export async function takeSave(): Promise<LastSave | null> {
  const { lastSave } = await chrome.storage.session.get<{ lastSave?: LastSave }>("lastSave");
  if (lastSave && lastSave.state !== "running") await clearSave();
  return lastSave ?? null;
}

export const clearSave = async (): Promise<void> => {
  await Promise.all([
    chrome.storage.session.remove("lastSave"),
    chrome.action.setBadgeText({ text: "" }),
    chrome.action.setTitle({ title: word("name") }),
  ]);
};
