import { ModelBreakers } from "@carrel/providers";
import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { LanguageModels } from "./language-models.ts";
import { TokenFactors } from "./token-factors.ts";
import { ToolCalling } from "./tool-calling.ts";

@Module({
  imports: [SettingModule],
  providers: [LanguageModels, ModelBreakers, TokenFactors, ToolCalling],
  exports: [LanguageModels, ModelBreakers, TokenFactors, ToolCalling],
})
export class ModelModule {}
