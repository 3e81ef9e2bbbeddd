import type { ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { CreateImports1795500000000 } from "./database/migrations/1795500000000-CreateImports.ts";
import { CountImportRuns1795510000000 } from "./database/migrations/1795510000000-CountImportRuns.ts";
import { ImportItem } from "./import/import-item.entity.ts";
import { Import } from "./import/import.entity.ts";

export const connectorsDatabase: ServiceDatabase = {
  schema: "connectors",
  entities: [Import, ImportItem],
  migrations: [
    messagingMigration("connectors"),
    CreateImports1795500000000,
    CountImportRuns1795510000000,
  ],
};
