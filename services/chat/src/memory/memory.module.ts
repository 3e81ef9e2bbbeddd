import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { ExtractionJob } from "./extraction.job.ts";
import { ExtractionScheduler } from "./extraction.scheduler.ts";
import { MemoryHandler } from "./memory.handler.ts";

@Module({
  imports: [GenerationModule],
  controllers: [MemoryHandler],
  providers: [ExtractionJob, ExtractionScheduler],
})
export class MemoryModule {}
