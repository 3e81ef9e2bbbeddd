import { Module } from "@nestjs/common";
import { UserModule } from "../user/user.module.ts";
import { ChainRepository } from "./chain.repository.ts";
import { ChainVerification } from "./chain-verification.ts";
import { EventLog } from "./event-log.ts";
import { EventPruner } from "./event-pruner.ts";
import { EventConsumer } from "./event.consumer.ts";
import { EventHandler } from "./event.handler.ts";
import { EventRepository } from "./event.repository.ts";
import { SigningKeys } from "./signing-keys.ts";

@Module({
  imports: [UserModule],
  controllers: [EventHandler],
  providers: [
    ChainRepository,
    ChainVerification,
    EventConsumer,
    EventLog,
    EventPruner,
    EventRepository,
    SigningKeys,
  ],
  exports: [
    ChainRepository,
    ChainVerification,
    EventLog,
    EventPruner,
    EventRepository,
    SigningKeys,
  ],
})
export class EventModule {}
