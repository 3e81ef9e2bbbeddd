import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

const flags = { pin: keys.pinnedAlert, watch: keys.watchedAlert } as const;
export type Explained = keyof typeof flags;

/** Whether this browser has been told; other clients of this wire keep it under the same name. */
export const isExplained = (what: Explained): boolean => readStored(flags[what]) !== null;
export const noteExplained = (what: Explained): void => writeStored(flags[what], "true");
