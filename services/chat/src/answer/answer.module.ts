import { Module } from "@nestjs/common";
import { AttachmentModule } from "../attachment/attachment.module.ts";
import { ModelModule } from "../model/model.module.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { AnswerMaterials } from "./answer-materials.ts";
import { Answerers } from "./answerers.ts";
import { FallbackAnswerers } from "./fallback-answerer.ts";
import { QuoteFinder } from "./quote-finder.ts";
import { SuggestedQuestionHandler } from "./suggested-question.handler.ts";

@Module({
  imports: [AttachmentModule, ModelModule, PromptModule, RetrievalModule, SettingModule],
  controllers: [SuggestedQuestionHandler],
  providers: [AnswerMaterials, Answerers, FallbackAnswerers, QuoteFinder],
  exports: [Answerers],
})
export class AnswerModule {}
