import { Module } from "@nestjs/common";
import { EventLog } from "./event-log.ts";

@Module({
  providers: [EventLog],
  exports: [EventLog],
})
export class EventLogModule {}
