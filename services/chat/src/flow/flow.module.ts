import { Module } from "@nestjs/common";
import { CredentialModule } from "../credential/credential.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { FlowImportHandler } from "./flow-import.handler.ts";
import { FlowTools } from "./flow-tools.ts";
import { FlowHandler } from "./flow.handler.ts";
import { FlowRepository } from "./flow.repository.ts";

@Module({
  imports: [CredentialModule, EventLogModule],
  controllers: [FlowHandler, FlowImportHandler],
  providers: [FlowRepository, FlowTools],
  exports: [FlowRepository, FlowTools],
})
export class FlowModule {}
