export { syncWorkerService } from "./sync-worker.service-definition.ts";
