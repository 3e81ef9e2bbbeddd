import { Module } from "@nestjs/common";
import { GenerationModule } from "../generation/generation.module.ts";
import { ChatRecordRepository } from "./chat-record.repository.ts";
import { TurnChangeHandler } from "./turn-change.handler.ts";
import { TurnHandler } from "./turn.handler.ts";
import { TurnRepository } from "./turn.repository.ts";

@Module({
  imports: [GenerationModule],
  controllers: [TurnHandler, TurnChangeHandler],
  providers: [TurnRepository, ChatRecordRepository],
  exports: [TurnRepository],
})
export class TurnModule {}
