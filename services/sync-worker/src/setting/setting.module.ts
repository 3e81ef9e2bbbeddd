import { Module } from "@nestjs/common";
import { LiveSyncSwitch } from "./live-sync-switch.ts";

@Module({ providers: [LiveSyncSwitch], exports: [LiveSyncSwitch] })
export class SettingModule {}
