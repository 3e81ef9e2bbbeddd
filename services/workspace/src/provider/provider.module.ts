import { Module } from "@nestjs/common";
import { PreferenceModule } from "../preference/preference.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { AnswerParameterHandler } from "./answer-parameter.handler.ts";
import { FallbackModelHandler } from "./fallback-model.handler.ts";
import { ModelOverrideHandler } from "./model-override.handler.ts";
import { ProviderTestHandler } from "./provider-test.handler.ts";
import { ProviderHandler } from "./provider.handler.ts";
import { ReadyProviders } from "./ready-providers.ts";

@Module({
  imports: [PreferenceModule, SettingModule, WorkspaceModule],
  controllers: [
    AnswerParameterHandler,
    FallbackModelHandler,
    ModelOverrideHandler,
    ProviderHandler,
    ProviderTestHandler,
  ],
  providers: [ReadyProviders],
})
export class ProviderModule {}
