import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { EarlierSources } from "./earlier-sources.ts";
import { FullTextReader } from "./full-texts.ts";
import { QuestionSearch } from "./question-search.ts";

@Module({
  imports: [SettingModule],
  providers: [EarlierSources, FullTextReader, QuestionSearch],
  exports: [EarlierSources, FullTextReader, QuestionSearch],
})
export class RetrievalModule {}
