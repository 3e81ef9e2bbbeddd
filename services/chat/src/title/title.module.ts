import { Module } from "@nestjs/common";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { TitleJob } from "./title.job.ts";
import { TitleRepository } from "./title.repository.ts";
import { TitleScheduler } from "./title.scheduler.ts";

@Module({
  imports: [ModelModule, SettingModule, UsageModule],
  providers: [TitleJob, TitleRepository, TitleScheduler],
})
export class TitleModule {}
