import { instanceShape, loadConfig } from "@carrel/config";
import { startService } from "../src/start-service.ts";
import { fixtureService } from "./fixture-service.ts";

/**
 * A replica in a separate process that tests can stop and kill: short leases, prints `ready` once
 * started.
 */
const config = loadConfig(instanceShape);
const running = await startService(fixtureService, config, {
  healthPort: 0,
  leaseMs: 3_000,
  jobLockMs: 3_000,
  eventRetryMs: 2_000,
  watchMs: 200,
  reconcileMs: 5_000,
  drainMs: 5_000,
});
process.on("SIGTERM", () => void running.stop().then(() => process.exit(0)));
process.stdout.write(`ready ${running.healthPort}\n`);
