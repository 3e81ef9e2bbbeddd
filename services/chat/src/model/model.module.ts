import { ModelBreakers } from "@carrel/providers";
import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { LanguageModels } from "./language-models.ts";
import { TokenFactors } from "./token-factors.ts";

@Module({
  imports: [SettingModule],
  providers: [LanguageModels, ModelBreakers, TokenFactors],
  exports: [LanguageModels, ModelBreakers, TokenFactors],
})
export class ModelModule {}
