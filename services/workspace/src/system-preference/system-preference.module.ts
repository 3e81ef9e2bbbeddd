import { Module } from "@nestjs/common";
import { PreferenceModule } from "../preference/preference.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { BrandingHandler } from "./branding.handler.ts";
import { OnboardingHandler } from "./onboarding.handler.ts";
import { PreferenceHandler } from "./preference.handler.ts";
import { SurveyHandler } from "./survey.handler.ts";

@Module({
  imports: [PreferenceModule, SettingModule],
  controllers: [BrandingHandler, OnboardingHandler, PreferenceHandler, SurveyHandler],
})
export class SystemPreferenceModule {}
