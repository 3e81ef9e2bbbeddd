import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { Rerankers } from "./rerankers.ts";

@Module({
  imports: [SettingModule, DocumentModule],
  providers: [Rerankers],
  exports: [Rerankers],
})
export class RerankingModule {}
