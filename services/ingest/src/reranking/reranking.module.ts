import { Module } from "@nestjs/common";
import { DocumentModule } from "../document/document.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { Rerankers } from "./rerankers.ts";

@Module({
  imports: [SettingModule, DocumentModule, UsageModule],
  providers: [Rerankers],
  exports: [Rerankers],
})
export class RerankingModule {}
