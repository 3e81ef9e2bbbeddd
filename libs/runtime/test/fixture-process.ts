import { instanceShape, loadConfig } from "@carrel/config";
import { startService } from "../src/start-service.ts";
import { fixtureService } from "./fixture-service.ts";

/**
 * A replica in a process of its own, to be stopped and killed: short leases, says `ready` when it
 * is.
 */
const config = loadConfig(instanceShape);
const running = await startService(fixtureService, config, {
  healthPort: 0,
  leaseMs: 2_000,
  jobLockMs: 2_000,
  eventRetryMs: 2_000,
  watchMs: 200,
  reconcileMs: 5_000,
  drainMs: 5_000,
});
process.on("SIGTERM", () => void running.stop().then(() => process.exit(0)));
process.stdout.write(`ready ${running.healthPort}\n`);
