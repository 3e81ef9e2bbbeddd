import type { What } from "./tab-text.ts";

/** What the popup and pages of Carrel ask of the service worker. */
export type Request =
  /** Finishes the pending connection, once the user has allowed it. */
  | { type: "connect" }
  | { type: "save"; tabId: number; what: What }
  /** Saves the page and opens the workspace. */
  | { type: "ask"; tabId: number }
  /** A page of Carrel made a key. */
  | { type: "offer"; connection: string };

/** `error` is ready to be shown. */
export type Reply = { error: string | null };

export const request = async (message: Request): Promise<Reply> =>
  chrome.runtime.sendMessage<Request, Reply>(message);
