import { Module } from "@nestjs/common";
import { UserModule } from "../user/user.module.ts";
import { EventLog } from "./event-log.ts";
import { EventConsumer } from "./event.consumer.ts";
import { EventHandler } from "./event.handler.ts";
import { EventRepository } from "./event.repository.ts";

@Module({
  imports: [UserModule],
  controllers: [EventHandler],
  providers: [EventLog, EventConsumer, EventRepository],
  exports: [EventLog],
})
export class EventModule {}
