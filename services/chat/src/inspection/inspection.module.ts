import { Module } from "@nestjs/common";
import { MemoryModule } from "../memory/memory.module.ts";
import { ModelModule } from "../model/model.module.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { InspectionHandler } from "./inspection.handler.ts";
import { InspectionKeeper } from "./inspection-keeper.ts";
import { InspectionRepository } from "./inspection.repository.ts";
import { PromptPreview } from "./prompt-preview.ts";
import { RetrievalTrialHandler } from "./retrieval-trial.handler.ts";

@Module({
  imports: [MemoryModule, ModelModule, PromptModule, RetrievalModule, SettingModule],
  controllers: [InspectionHandler, RetrievalTrialHandler],
  providers: [InspectionKeeper, InspectionRepository, PromptPreview],
  exports: [InspectionKeeper],
})
export class InspectionModule {}
