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
/** Whether the browser has no network, known at once; the server may need a few seconds to be missed. */
export const useOffline = (): boolean =>
  useSyncExternalStore(watchNetwork, () => !navigator.onLine);

/** Whether this tab's change stream is down, as far as known. */
export const isDisconnected = (): boolean => isDown;

const announce = (): void => {
  for (const listener of [...listeners]) listener();
};

/** Call when the change stream has ended or couldn't be opened. */
export function noteDisconnected(): void {
  if (isDown) return;
  isDown = true;
  timer = setTimeout(() => unreachable.set(() => true), noticeDelayMs);
}

/** Call when the change stream is open, or isn't needed any more. */
export function noteConnected(): void {
  if (!isDown) return;
  isDown = false;
  clearTimeout(timer);
  unreachable.set(() => false);
  announce();
}

/** When the server last replied to a call, in ms as of `performance.now()`. */
let repliedAt = -Infinity;
/** The change stream alone may be broken; replies must not make everything try again all the time. */
const announcementIntervalMs = 1_000;
let announcedAt = -Infinity;

/**
 * Call for each of the server's replies: after a while without connection, it shows that the server
 * is back. Not before: the server also closes the change stream when the session changes, and the
 * page has yet to get its new token.
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
 * Calls back when the server or the browser's network seems to be back, so that retries start without
 * waiting for the next attempt. Returns a function that removes the listener.
 */
export function onBack(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("online", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("online", listener);
  };
}
