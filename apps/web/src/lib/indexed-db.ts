/**
 * Storage for what is too large for local storage: IndexedDB, so that it survives a reload. If the
 * browser blocks it (private windows, full disks), nothing is stored and everything still works
 * until the page closes. The library is loaded on first use.
 */
import type { UseStore } from "idb-keyval";

const load = (): Promise<typeof import("idb-keyval")> => import("idb-keyval");
let store: UseStore | null = null;
const name = "carrel";

async function attempt<T>(
  work: (library: Awaited<ReturnType<typeof load>>, store: UseStore) => Promise<T>,
): Promise<T | undefined> {
  try {
    if (!("indexedDB" in globalThis)) return undefined;
    const library = await load();
    store ??= library.createStore(name, "kept");
    return await work(library, store);
  } catch {
    return undefined; // blocked or full: as if it had never been stored
  }
}

/**
 * The stored value, or undefined. An older version of the app may have written it: validate before
 * use.
 */
export const readItem = (key: string): Promise<unknown> =>
  attempt<unknown>((library, where) => library.get(key, where));
/** Stores a value; undefined deletes it. */
export const storeItem = (key: string, value: unknown): Promise<unknown> =>
  attempt((library, where) =>
    value === undefined ? library.del(key, where) : library.set(key, value, where),
  );
/** Deletes everything on sign-out: the next person on this browser may be someone else. */
export async function clearItems(): Promise<void> {
  const known = await attempt(async () =>
    (await indexedDB.databases()).some((each) => each.name === name),
  );
  if (known) await attempt((library, where) => library.clear(where));
}
