import { Module } from "@nestjs/common";
import { SettingsCache } from "./settings-cache.ts";

@Module({ providers: [SettingsCache], exports: [SettingsCache] })
export class SettingModule {}
