import { Module } from "@nestjs/common";
import { ThreadModule } from "../thread/thread.module.ts";
import { AllTurnsRepository } from "./all-turns.repository.ts";
import { HistoryRepository } from "./history.repository.ts";
import { ThreadForkHandler } from "./thread-fork.handler.ts";
import { TurnBranches } from "./turn-branches.ts";
import { TurnChangeHandler } from "./turn-change.handler.ts";
import { TurnChanges } from "./turn-changes.ts";
import { TurnHandler } from "./turn.handler.ts";
import { TurnRepository } from "./turn.repository.ts";

@Module({
  imports: [ThreadModule],
  controllers: [TurnHandler, TurnChangeHandler, ThreadForkHandler],
  providers: [AllTurnsRepository, HistoryRepository, TurnBranches, TurnChanges, TurnRepository],
  exports: [TurnBranches, TurnChanges, TurnRepository],
})
export class TurnModule {}
