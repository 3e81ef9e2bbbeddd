import { useSyncExternalStore } from "react";
import { createStore, useStore } from "./store.ts";

/** A restart or a short drop isn't worth a notice. */
const noticeDelayMs = 3_000;

/** Whether this tab's change stream has been down for a while. */
const unreachable = createStore(false);
let isDown = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const useUnreachable = (): boolean => useStore(unreachable, (value) => value);
function watchNetwork(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
/**
 * Whether the browser has no network, which is known at once; noticing that the server is gone may
 * take a few seconds.
 */
export const useOffline = (): boolean =>
  useSyncExternalStore(watchNetwork, () => !navigator.onLine);

/** Whether this tab's change stream is down, as far as known. */
export const isDisconnected = (): boolean => isDown;

const announce = (): void => {
  for (const listener of [...listeners]) listener();
};

/** Call this when the change stream has ended or couldn't be opened. */
export function noteDisconnected(): void {
  if (isDown) return;
  isDown = true;
  timer = setTimeout(() => unreachable.set(() => true), noticeDelayMs);
}

/** Call this when the change stream is open, or is no longer needed. */
export function noteConnected(): void {
  if (!isDown) return;
  isDown = false;
  clearTimeout(timer);
  unreachable.set(() => false);
  announce();
}

/** When the server last replied to a call, in ms as of `performance.now()`. */
let repliedAt = -Infinity;
/**
 * Minimum interval: the change stream alone may be broken, and replies must not make everything
 * retry all the time.
 */
const announcementIntervalMs = 1_000;
let announcedAt = -Infinity;

/**
 * Call this for each of the server's replies: after a while without connection, it shows that the
 * server is back. Not sooner: the server also closes the change stream when the session changes,
 * and the page has yet to get its new token.
 */
export function noteReply(): void {
  repliedAt = performance.now();
  if (!unreachable.get() || repliedAt - announcedAt < announcementIntervalMs) return;
  announcedAt = repliedAt;
  announce();
}
/** Whether the server has replied to a call since then, in ms as of `performance.now()`. */
export const hasRepliedSince = (time: number): boolean => repliedAt > time;

/**
 * Calls back when the server or the browser's network seems to be back, so that retries start
 * without waiting for the next attempt. Returns a function that removes the listener.
 */
export function onBack(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("online", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("online", listener);
  };
}
