import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

/**
 * Whether the sidebar is shown on wide windows (persisted), and whether its sheet is open on phones
 * (not persisted).
 */
const sidebar = createStore({ shown: readStored(keys.sidebar) !== "hidden", sheet: false });

const narrow = (): boolean => matchMedia("(max-width: 767px)").matches;
export const useSidebar = () => useStore(sidebar, (value) => value);
export const openSheet = (): void => sidebar.set((value) => ({ ...value, sheet: true }));
export const closeSheet = (): void =>
  sidebar.set((value) => (value.sheet ? { ...value, sheet: false } : value));

export function toggleSidebar(): void {
  if (narrow()) return sidebar.set((value) => ({ ...value, sheet: !value.sheet }));
  sidebar.set((value) => ({ ...value, shown: !value.shown }));
  writeStored(keys.sidebar, sidebar.get().shown ? null : "hidden");
}
