import { Module } from "@nestjs/common";
import { InstanceSettings } from "./instance-settings.ts";

@Module({
  providers: [InstanceSettings],
  exports: [InstanceSettings],
})
export class SettingModule {}
