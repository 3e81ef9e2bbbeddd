import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

const flags = { pin: keys.pinnedAlert, watch: keys.watchedAlert } as const;
export type Explainer = keyof typeof flags;

/**
 * Whether this browser has shown the explanation. Other clients of this wire use the same storage
 * key.
 */
export const hasSeenExplainer = (what: Explainer): boolean => readStored(flags[what]) !== null;
export const markExplainerSeen = (what: Explainer): void => writeStored(flags[what], "true");
