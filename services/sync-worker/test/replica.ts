import { instanceShape, loadConfig } from "@carrel/config";
import { startService } from "@carrel/runtime";
import { syncWorkerService } from "../src/index.ts";
import { syncWorkerShape } from "../src/sync-worker.config.ts";

/* The sync worker in a separate process, for tests that kill it. */
await startService(syncWorkerService, loadConfig({ ...instanceShape, ...syncWorkerShape }), {
  healthPort: false,
  leaseMs: 2_000,
});
process.stdout.write("ready\n");
