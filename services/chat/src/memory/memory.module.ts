import { Module } from "@nestjs/common";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { ExtractionJob } from "./extraction.job.ts";
import { ExtractionRepository } from "./extraction.repository.ts";
import { ExtractionScheduler } from "./extraction.scheduler.ts";
import { MemoryHandler } from "./memory.handler.ts";
import { MemoryKeeper } from "./memory-keeper.ts";
import { MemoryRepository } from "./memory.repository.ts";

@Module({
  imports: [ModelModule, SettingModule, UsageModule],
  controllers: [MemoryHandler],
  providers: [
    ExtractionJob,
    ExtractionRepository,
    ExtractionScheduler,
    MemoryKeeper,
    MemoryRepository,
  ],
  exports: [MemoryKeeper, MemoryRepository],
})
export class MemoryModule {}
