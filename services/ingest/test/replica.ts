import { instanceShape, loadConfig } from "@carrel/config";
import { startService } from "@carrel/runtime";
import { ingestService } from "../src/index.ts";
import { ingestShape } from "../src/ingest.config.ts";

/*
 * The ingest service in a separate process, for tests that kill it. Shorter leases let other
 * replicas take over within seconds instead of half a minute.
 */
await startService(ingestService, loadConfig({ ...instanceShape, ...ingestShape }), {
  healthPort: false,
  jobLockMs: 5_000,
  leaseMs: 2_000,
  reconcileMs: 1_000,
});
process.stdout.write("ready\n");
