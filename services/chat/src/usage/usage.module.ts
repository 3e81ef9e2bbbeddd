import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageListRepository } from "./usage-list.repository.ts";
import { UsageReportRepository } from "./usage-report.repository.ts";
import { UsageHandler } from "./usage.handler.ts";
import { UsageSummer } from "./usage-summer.ts";
import { UsageRepository } from "./usage.repository.ts";

@Module({
  imports: [SettingModule],
  controllers: [UsageHandler],
  providers: [UsageListRepository, UsageReportRepository, UsageRepository, UsageSummer],
  exports: [UsageReportRepository, UsageRepository],
})
export class UsageModule {}
