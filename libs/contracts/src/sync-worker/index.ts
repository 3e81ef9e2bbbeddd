import type { Contracts } from "../operation.ts";
import { hookContracts } from "./hook.ts";
import { liveSyncContracts } from "./live-sync.ts";
import { watchContracts } from "./watch.ts";

export * from "./hook.ts";
export * from "./live-sync.ts";
export * from "./watch-wire.ts";
export * from "./watch.ts";

export const syncWorkerServiceContracts: readonly Contracts[] = [
  hookContracts,
  liveSyncContracts,
  watchContracts,
];
