import type { OpenTab } from "./active-tab.ts";

/** Runs in the page, so it refers to nothing outside it. Passes on a connection string it posts. */
function relayOffer(): void {
  const state = globalThis as { carrelRelay?: boolean };
  if (state.carrelRelay) return;
  state.carrelRelay = true;
  addEventListener("message", ({ source, origin, data }: MessageEvent) => {
    if (source !== window || origin !== location.origin) return;
    if (data?.type !== "NEW_BROWSER_EXTENSION_CONNECTION" || typeof data.apiKey !== "string")
      return;
    void chrome.runtime.sendMessage({ type: "offer", connection: data.apiKey });
  });
}

/**
 * On Carrel's page for extension keys: takes the connection string as the page makes it
 * (wire-contract 10). Only there and only once the user has opened the popup, so that the extension
 * needs no access to every page.
 */
export async function awaitOffer(tab: OpenTab | null): Promise<void> {
  if (!tab || !/^https?:.*\/settings\/browser-extension\/?([?#]|$)/.test(tab.url)) return;
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: relayOffer });
}
