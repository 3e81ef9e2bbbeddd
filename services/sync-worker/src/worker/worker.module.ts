import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { WatchModule } from "../watch/watch.module.ts";
import { DocumentSync } from "./document-sync.ts";
import { GivingUp } from "./giving-up.ts";
import { SourceSync } from "./source-sync.ts";
import { SyncLoop } from "./sync-loop.ts";

@Module({
  imports: [SettingModule, WatchModule],
  providers: [DocumentSync, GivingUp, SourceSync, SyncLoop],
  exports: [SyncLoop],
})
export class WorkerModule {}
