import { createStore, useStore } from "../../../lib/store.ts";

export type AccountTab = "profile" | "password" | "preferences" | "security" | "links" | "usage";

const requested = createStore<AccountTab | null>(null);

/** Opens the account dialog at a tab. */
export const openAccount = (tab: AccountTab): void => requested.set(() => tab);
export const closeAccount = (): void => requested.set(() => null);
/** The tab at which the account dialog is open; null while it is closed. */
export const useAccountTab = (): AccountTab | null => useStore(requested, (value) => value);
