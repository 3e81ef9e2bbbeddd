import { runService } from "@carrel/runtime";
import { syncWorkerService } from "./sync-worker.service-definition.ts";

await runService(syncWorkerService);
