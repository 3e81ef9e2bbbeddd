import path from "node:path";
import type { LanceOptions, LanceStore } from "./lance-store.ts";

const open = new Map<string, { store: Promise<LanceStore>; users: number }>();

/**
 * This process's only open LanceDB for a folder. `close` releases it, and the last user's closes
 * it.
 */
export async function shareLance(
  options: LanceOptions,
): Promise<{ store: LanceStore; close(): Promise<void> }> {
  const folder = path.resolve(options.folder);
  const entry = open.get(folder) ?? {
    store: import("./lance-store.ts").then((library) => library.openLanceStore(options)),
    users: 0,
  };
  entry.users++;
  open.set(folder, entry);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    if (--entry.users > 0) return;
    open.delete(folder);
    await (await entry.store.catch(() => null))?.close();
  };
  try {
    return { store: await entry.store, close };
  } catch (fault) {
    await close();
    throw fault;
  }
}
