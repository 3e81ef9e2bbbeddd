import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { FlowTools } from "./flow-tools.ts";
import { FlowHandler } from "./flow.handler.ts";
import { FlowRepository } from "./flow.repository.ts";

@Module({
  imports: [EventLogModule],
  controllers: [FlowHandler],
  providers: [FlowRepository, FlowTools],
  exports: [FlowRepository, FlowTools],
})
export class FlowModule {}
