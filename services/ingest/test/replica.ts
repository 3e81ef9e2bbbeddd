import { instanceShape, loadConfig } from "@carrel/config";
import { startService } from "@carrel/runtime";
import { ingestService } from "../src/index.ts";
import { ingestShape } from "../src/ingest.config.ts";

/*
 * The ingest service in a process of its own, for tests that kill it. What a dead replica held is
 * taken over after seconds instead of half a minute.
 */
await startService(ingestService, loadConfig({ ...instanceShape, ...ingestShape }), {
  healthPort: false,
  jobLockMs: 5_000,
  leaseMs: 2_000,
  reconcileMs: 1_000,
});
process.stdout.write("ready\n");
