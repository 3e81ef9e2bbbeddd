/**
 * What is too large for local storage: kept in IndexedDB, so that a reload does not lose it. Where
 * the browser refuses
 * that (private windows, full disks), nothing is kept, and everything works as long as the page
 * lives. The library comes
 * with its first use.
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
    return undefined; // refused or full: as if it had never been kept
  }
}

/**
 * What was kept under this key; undefined where nothing was. It may be of an older version of the
 * app: look before use.
 */
export const readKept = (key: string): Promise<unknown> =>
  attempt<unknown>((library, where) => library.get(key, where));
/** Keeps a value; undefined takes it away. */
export const keep = (key: string, value: unknown): Promise<unknown> =>
  attempt((library, where) =>
    value === undefined ? library.del(key, where) : library.set(key, value, where),
  );
/** Everything, at signing out: the next person at this browser is another one. */
export async function forgetKept(): Promise<void> {
  const known = await attempt(async () =>
    (await indexedDB.databases()).some((each) => each.name === name),
  );
  if (known) await attempt((library, where) => library.clear(where));
}
