import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { SettingStore } from "./setting-store.ts";
import { SettingHandler } from "./setting.handler.ts";
import { SettingRepository } from "./setting.repository.ts";

@Module({
  imports: [EventModule, PreferenceModule],
  controllers: [SettingHandler],
  providers: [SettingStore, SettingRepository],
  exports: [SettingStore],
})
export class SettingModule {}
