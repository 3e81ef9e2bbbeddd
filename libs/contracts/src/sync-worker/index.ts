import type { Contracts } from "../operation.ts";
import { liveSyncContracts } from "./live-sync.ts";
import { watchContracts } from "./watch.ts";

export * from "./live-sync.ts";
export * from "./watch-wire.ts";
export * from "./watch.ts";

export const syncWorkerServiceContracts: readonly Contracts[] = [liveSyncContracts, watchContracts];
