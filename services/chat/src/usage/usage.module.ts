import { Module } from "@nestjs/common";
import { UsageReportRepository } from "./usage-report.repository.ts";
import { UsageHandler } from "./usage.handler.ts";
import { UsageRepository } from "./usage.repository.ts";

@Module({
  controllers: [UsageHandler],
  providers: [UsageReportRepository, UsageRepository],
  exports: [UsageRepository],
})
export class UsageModule {}
