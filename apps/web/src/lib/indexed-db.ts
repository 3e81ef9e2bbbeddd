/**
 * Storage for values too large for local storage: IndexedDB, so that it survives a reload. If the
 * browser blocks it (private windows, full disks), nothing is stored and everything still works
 * until the page closes.
 */
import { clear, createStore, del, get, set, type UseStore } from "idb-keyval";

let store: UseStore | null = null;
const name = "carrel";

/**
 * Commits each write with its request. Otherwise the browser waits for the page to have seen the
 * answer, and drops what was written just before a reload or a closed tab.
 */
function openStore(): UseStore {
  const open = createStore(name, "kept");
  return (mode, work) =>
    open(mode, (objects) => {
      const result = work(objects);
      if (mode === "readwrite") objects.transaction.commit();
      return result;
    });
}

async function attempt<T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> {
  try {
    if (!("indexedDB" in globalThis)) return undefined;
    store ??= openStore();
    return await work(store);
  } catch {
    return undefined; // blocked or full: as if it had never been stored
  }
}

/**
 * The stored value, or undefined. An older version of the app may have written it: validate before
 * use.
 */
export const readItem = (key: string): Promise<unknown> =>
  attempt<unknown>((where) => get(key, where));
/** Stores a value; undefined deletes it. */
export const storeItem = (key: string, value: unknown): Promise<unknown> =>
  attempt((where) => (value === undefined ? del(key, where) : set(key, value, where)));
/** Deletes everything on sign-out: the next person on this browser may be someone else. */
export async function clearItems(): Promise<void> {
  const known = await attempt(async () =>
    (await indexedDB.databases()).some((each) => each.name === name),
  );
  if (known) await attempt((where) => clear(where));
}
