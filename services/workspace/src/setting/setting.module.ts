import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { FirstRun } from "./first-run.ts";
import { SettingStore } from "./setting-store.ts";
import { SettingHandler } from "./setting.handler.ts";
import { SettingRepository } from "./setting.repository.ts";

@Module({
  imports: [EventModule, PreferenceModule, WorkspaceModule],
  controllers: [SettingHandler],
  providers: [FirstRun, SettingStore, SettingRepository],
  exports: [FirstRun, SettingStore],
})
export class SettingModule {}
