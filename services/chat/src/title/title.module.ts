import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { TitleJob } from "./title.job.ts";
import { TitleRepository } from "./title.repository.ts";
import { TitleScheduler } from "./title.scheduler.ts";

@Module({ imports: [GenerationModule], providers: [TitleJob, TitleRepository, TitleScheduler] })
export class TitleModule {}
