import { Module } from "@nestjs/common";
import { PreferenceModule } from "../preference/preference.module.ts";
import { DefaultPrompt } from "./default-prompt.ts";
import { PromptHistoryRepository } from "./prompt-history.repository.ts";

@Module({
  imports: [PreferenceModule],
  providers: [DefaultPrompt, PromptHistoryRepository],
  exports: [DefaultPrompt, PromptHistoryRepository],
})
export class PromptHistoryModule {}
