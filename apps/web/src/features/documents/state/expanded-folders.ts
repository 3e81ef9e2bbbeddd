import { createStore, useStore } from "../../../lib/store.ts";

/** Open folders, kept for as long as the app is loaded. */
const expandedFolders = createStore<ReadonlySet<string>>(new Set());

export const useExpandedFolders = (): ReadonlySet<string> =>
  useStore(expandedFolders, (folders) => folders);

export const setExpanded = (folder: string, open: boolean): void =>
  expandedFolders.set((before) => {
    if (before.has(folder) === open) return before;
    const next = new Set(before);
    if (open) next.add(folder);
    else next.delete(folder);
    return next;
  });

export const toggleFolder = (folder: string): void =>
  setExpanded(folder, !expandedFolders.get().has(folder));
