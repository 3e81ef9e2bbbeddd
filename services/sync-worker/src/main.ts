import { runService } from "@carrel/runtime";
import { syncWorkerService } from "./index.ts";

await runService(syncWorkerService);
