import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { EmbeddingUseConsumer } from "./embedding-use.consumer.ts";
import { UsageReportRepository } from "./usage-report.repository.ts";
import { UsageHandler } from "./usage.handler.ts";
import { UsageRepository } from "./usage.repository.ts";

@Module({
  imports: [SettingModule],
  controllers: [UsageHandler],
  providers: [EmbeddingUseConsumer, UsageReportRepository, UsageRepository],
  exports: [UsageRepository],
})
export class UsageModule {}
