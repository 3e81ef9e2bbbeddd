import { createStore, useStore } from "./store.ts";

/** A restart or a short drop isn't worth a notice. */
const patienceMs = 3_000;

/** Whether this tab's change stream has been down for a while. */
const unreachable = createStore(false);
let isDown = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export const useUnreachable = (): boolean => useStore(unreachable, (value) => value);
/** Whether this tab's change stream is down, as far as known. */
export const isDisconnected = (): boolean => isDown;

const announce = (): void => {
  for (const listener of [...listeners]) listener();
};

/** Call when the change stream has ended or couldn't be opened. */
export function noteDisconnected(): void {
  if (isDown) return;
  isDown = true;
  timer = setTimeout(() => unreachable.set(() => true), patienceMs);
}

/** Call when the change stream is open, or isn't needed any more. */
export function noteConnected(): void {
  if (!isDown) return;
  isDown = false;
  clearTimeout(timer);
  unreachable.set(() => false);
  announce();
}

/** Call for each reply: while disconnected, it shows that the server is back. */
export function noteReply(): void {
  if (isDown) announce();
}

/**
 * Calls back when the server or the browser's network seems to be back, so that nobody waits for the
 * next attempt. Returns a function that removes the listener.
 */
export function onBack(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("online", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("online", listener);
  };
}
