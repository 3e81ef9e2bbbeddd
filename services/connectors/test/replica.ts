import { instanceShape, loadConfig } from "@carrel/config";
import { startService } from "@carrel/runtime";
import { connectorsShape } from "../src/connectors.config.ts";
import { connectorsService } from "../src/index.ts";

/*
 * The connectors service in a separate process, for tests that kill it. Shorter leases let another
 * replica take over within seconds instead of half a minute.
 */
await startService(connectorsService, loadConfig({ ...instanceShape, ...connectorsShape }), {
  healthPort: false,
  jobLockMs: 4_000,
  leaseMs: 2_000,
  reconcileMs: 1_000,
});
process.stdout.write("ready\n");
