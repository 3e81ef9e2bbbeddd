import { Module } from "@nestjs/common";
import { PreferenceModule } from "../preference/preference.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { BrandingHandler } from "./branding.handler.ts";
import { OnboardingHandler } from "./onboarding.handler.ts";
import { PreferenceHandler } from "./preference.handler.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { SurveyHandler } from "./survey.handler.ts";
import { TelemetryReporter } from "./telemetry-reporter.ts";
import { TelemetryHandler } from "./telemetry.handler.ts";

@Module({
  imports: [PreferenceModule, SettingModule, WorkspaceModule],
  controllers: [
    BrandingHandler,
    OnboardingHandler,
    PreferenceHandler,
    SurveyHandler,
    TelemetryHandler,
  ],
  providers: [TelemetryReporter],
})
export class SystemPreferenceModule {}
