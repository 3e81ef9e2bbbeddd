import { Module } from "@nestjs/common";
import { FlowModule } from "../flow/flow.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { ScheduleWriter } from "./schedule-writer.ts";
import { ScheduleRepository } from "./schedule.repository.ts";

@Module({
  imports: [FlowModule, SettingModule],
  providers: [ScheduleRepository, ScheduleWriter],
  exports: [ScheduleRepository, ScheduleWriter],
})
export class ScheduleModule {}
