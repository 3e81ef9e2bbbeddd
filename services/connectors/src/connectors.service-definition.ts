import type { ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { ConnectionRun } from "./connection/connection-run.entity.ts";
import { Connection } from "./connection/connection.entity.ts";
import { SourceItem } from "./connection/source-item.entity.ts";
import { connectorsShape } from "./connectors.config.ts";
import { CreateImports1795500000000 } from "./database/migrations/1795500000000-CreateImports.ts";
import { CountImportRuns1795510000000 } from "./database/migrations/1795510000000-CountImportRuns.ts";
import { CreateConnections1795900000000 } from "./database/migrations/1795900000000-CreateConnections.ts";
import { CreateHostTurns1796000000000 } from "./database/migrations/1796000000000-CreateHostTurns.ts";
import { MirrorPermissions1796020000000 } from "./database/migrations/1796020000000-MirrorPermissions.ts";
import { SyncSources1796100000000 } from "./database/migrations/1796100000000-SyncSources.ts";
import { ForgetVersions1796130000000 } from "./database/migrations/1796130000000-ForgetVersions.ts";
import { AskUnlisted1796140000000 } from "./database/migrations/1796140000000-AskUnlisted.ts";
import { IndexRunItems1796150000000 } from "./database/migrations/1796150000000-IndexRunItems.ts";
import { CheckAccessInSteps1796210000000 } from "./database/migrations/1796210000000-CheckAccessInSteps.ts";
import { KeepLeftOut1796220000000 } from "./database/migrations/1796220000000-KeepLeftOut.ts";
import { CountRemoved1796230000000 } from "./database/migrations/1796230000000-CountRemoved.ts";
import { NoteLostItems1796250000000 } from "./database/migrations/1796250000000-NoteLostItems.ts";
import { CreateHubSetting1796300500000 } from "./database/migrations/1796300500000-CreateHubSetting.ts";
import { CreateHubPublication1796301600000 } from "./database/migrations/1796301600000-CreateHubPublication.ts";
import { ManagementModule } from "./management/management.module.ts";

const connectorsDatabase: ServiceDatabase = {
  schema: "connectors",
  entities: [Connection, ConnectionRun, SourceItem],
  migrations: [
    messagingMigration("connectors"),
    CreateImports1795500000000,
    CountImportRuns1795510000000,
    CreateConnections1795900000000,
    CreateHostTurns1796000000000,
    MirrorPermissions1796020000000,
    SyncSources1796100000000,
    ForgetVersions1796130000000,
    AskUnlisted1796140000000,
    IndexRunItems1796150000000,
    CheckAccessInSteps1796210000000,
    KeepLeftOut1796220000000,
    CountRemoved1796230000000,
    NoteLostItems1796250000000,
    CreateHubSetting1796300500000,
    CreateHubPublication1796301600000,
  ],
};

/** The service that turns external sources into documents. */
export const connectorsService: ServiceDefinition = defineService({
  name: "connectors",
  module: ManagementModule,
  database: connectorsDatabase,
  shape: connectorsShape,
});
