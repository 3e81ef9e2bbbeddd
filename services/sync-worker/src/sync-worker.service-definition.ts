import type { ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { CreateWatches1796000000000 } from "./database/migrations/1796000000000-CreateWatches.ts";
import { ManagementModule } from "./management/management.module.ts";
import { syncWorkerShape } from "./sync-worker.config.ts";
import { Watch } from "./watch/watch.entity.ts";

const syncWorkerDatabase: ServiceDatabase = {
  schema: "sync_worker",
  entities: [Watch],
  migrations: [messagingMigration("sync_worker"), CreateWatches1796000000000],
};

/** The service that keeps documents and sources up to date. */
export const syncWorkerService: ServiceDefinition = defineService({
  name: "sync-worker",
  module: ManagementModule,
  database: syncWorkerDatabase,
  shape: syncWorkerShape,
});
