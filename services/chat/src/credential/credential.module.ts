import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { CredentialHandler } from "./credential.handler.ts";
import { CredentialRepository } from "./credential.repository.ts";

@Module({
  imports: [EventLogModule],
  controllers: [CredentialHandler],
  providers: [CredentialRepository],
  exports: [CredentialRepository],
})
export class CredentialModule {}
