import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { ChatRecordRepository } from "./chat-record.repository.ts";
import { RecordDeletion } from "./record-deletion.ts";
import { RecordExportRepository } from "./record-export.repository.ts";
import { RecordHandler } from "./record.handler.ts";

@Module({
  imports: [EventLogModule, SettingModule, TurnModule],
  controllers: [RecordHandler],
  providers: [ChatRecordRepository, RecordDeletion, RecordExportRepository],
})
export class RecordModule {}
