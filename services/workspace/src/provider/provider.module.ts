import { Module } from "@nestjs/common";
import { PreferenceModule } from "../preference/preference.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { ProviderHandler } from "./provider.handler.ts";
import { ReadyProviders } from "./ready-providers.ts";

@Module({
  imports: [PreferenceModule, SettingModule],
  controllers: [ProviderHandler],
  providers: [ReadyProviders],
})
export class ProviderModule {}
